import { describe, expect, it } from 'vitest';
import { failedSwapExample, swapExample, tokenExample, tokenSendExample } from '../../src/contract/examples.ts';
import { BASE_PATH } from '../../src/contract/headers.ts';
import { imageExample } from '../../src/metadata/contract.ts';
import { ROUTES } from '../../src/routes.ts';
import { requestOf } from '../support/walk/requests.ts';
import { createAnswerCheck } from './answer-check.ts';

const SWAPS = `/tokens/${tokenExample.mint}/swaps`;
const ok = (body: unknown) => ({ statusCode: 200, headers: {}, body: JSON.stringify(body) });

describe('the check of answers', () => {
  it.each(ROUTES.map((route) => [route.name, route] as const))(
    'misses %s until it has been answered',
    (name, route) => {
      const check = createAnswerCheck(ROUTES);
      const path = String(requestOf(route).url).slice(BASE_PATH.length);
      const [example] = Object.values(route.examples);
      const answer = route.redirects
        ? { statusCode: 302, headers: { location: imageExample }, body: '' }
        : ok(example ?? { ok: true });
      expect(check.missed()).toContain(name);
      expect(check.faults('HEAD', path, answer)).toEqual([]);
      expect(check.faults(route.method, path, { statusCode: 404, headers: {}, body: '{}' })).toEqual([]);
      expect(check.missed()).toContain(name);
      expect(check.faults(route.method, path, answer)).toEqual([]);
      expect(check.missed()).toEqual(ROUTES.map((each) => each.name).filter((each) => each !== name));
    },
  );

  it.each([
    ['a swap', swapExample],
    ['an attempt', failedSwapExample],
    ['a send', tokenSendExample],
  ])('finds a field that nobody declared in %s', (_name, row) => {
    const check = createAnswerCheck(ROUTES);
    expect(check.faults('GET', SWAPS, ok({ data: [swapExample, row] }))).toEqual([]);
    expect(check.faults('GET', `${SWAPS}?limit=2`, ok({ data: [swapExample, { ...row, colour: 'blue' }] }))).toEqual([
      `GET ${SWAPS}?limit=2: /data/1/colour is not declared`,
    ]);
  });

  it('finds what is missing, a status that is not declared, and what is no route', () => {
    const check = createAnswerCheck(ROUTES);
    const { slot: _slot, ...row } = swapExample;
    expect(check.faults('GET', SWAPS, ok({ data: [row] }))).not.toEqual([]);
    expect(check.faults('GET', SWAPS, { statusCode: 302, headers: {}, body: '' })).toHaveLength(1);
    expect(check.faults('PUT', SWAPS, ok({}))).toHaveLength(1);
  });
});
