import { describe, expect, it } from 'vitest';
import { integerField, optional } from '../contract/fields.ts';
import { compileBody } from './body.ts';

const field = optional(integerField(1, 9, 'How many.'));
const read = compileBody({ constructor: field, toString: field, __proto: field, count: field });

describe('a body', () => {
  it('has the fields that were sent in it, and none of those that every object has', () => {
    expect(read({})).toEqual({ value: {} });
    expect(read(JSON.parse('{"__proto__":{"count":3}}'))).toEqual({ value: {} });
    expect(read({ constructor: 4 })).toEqual({ value: { constructor: 4 } });
    expect(read({ toString: 'x' })).toMatchObject({ error: { code: 'invalid_param', param: 'toString' } });
  });

  it.each([undefined, null, 'text', 7, true, []])('is an object, and not %j', (body) => {
    expect(read(body)).toMatchObject({ error: { code: 'invalid_json' } });
  });

  it('lets faults of ours through as they are', () => {
    const broken = compileBody({
      count: {
        ...field,
        read: () => {
          throw new TypeError('a fault of ours');
        },
      },
    });
    expect(() => broken({})).toThrow(TypeError);
  });
});
