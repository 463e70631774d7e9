import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acceptsProblem } from './accepts-problem.ts';

describe('who is answered in RFC 9457', () => {
  it.each([
    'application/problem+json',
    'Application/Problem+JSON',
    'application/json, application/problem+json',
    'text/html,application/problem+json;q=0.9,*/*;q=0.8',
    'application/problem+json; charset=utf-8; q=0.5, application/json;q=0.4',
    'application/problem+json;q=0.001',
    ' application/problem+json ;q=1.0',
  ])('%s', (accept) => {
    expect(acceptsProblem(accept)).toBe(true);
  });

  it.each([
    undefined,
    '',
    '*/*',
    'application/*',
    'application/json',
    'application/problem+json;q=0',
    'application/problem+json;q=0.000',
    'application/problem+json;q=0.5, application/json',
    'application/problem+json;q=2',
    'application/problem+json;q=high',
    'application/problem+jsonp',
    'text/application/problem+json',
  ])('not %s', (accept) => {
    expect(acceptsProblem(accept)).toBe(false);
  });

  it('takes any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'aplicton/problem+json;q=0.,* ') }), (accept) => {
        expect(typeof acceptsProblem(accept)).toBe('boolean');
      }),
    );
  });
});
