import { setImmediate as nextEvent } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { intelligenceDouble } from '../../../test/support/answers/intelligence.ts';
import { buildTestApp, TEST_KEY, TEST_PRINCIPAL } from '../../../test/support/api-app.ts';
import { createMemoryMeter } from '../../../test/support/memory-meter.ts';
import {
  type AnswerChanges,
  createAnswersDouble,
  INDEXED_SLOT,
  KNOWN_MINT,
  UNKNOWN_MINT,
} from '../../../test/support/token-answers.ts';
import { ApiError } from '../../contract/errors.ts';
import { stampBody } from '../../contract/stamp.ts';
import { systemClock } from '../../kernel/clock.ts';
import { ReadFault } from '../../store/reads/read-fault.ts';
import { createPackAnswers } from './answers.ts';
import { PACK_PARTS } from './contract.ts';

const CREDITS = 1_000;
const ALL = 40;
const PATH = `/api/tokens/${KNOWN_MINT}`;
const apps: FastifyInstance[] = [];

afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

function serve(overrides: AnswerChanges = {}, { credits = CREDITS, enforce = false } = {}) {
  const meter = createMemoryMeter({ credits, enforce });
  const app = buildTestApp({ answers: createAnswersDouble(overrides), meter });
  apps.push(app);
  return {
    ask: (url: string) => app.inject({ url, headers: { 'x-api-key': TEST_KEY } }),
    spent: () => credits - (meter.remaining(TEST_PRINCIPAL) ?? Number.NaN),
  };
}

/** The answers with some questions failing. */
function failing(fault: unknown, ...names: readonly (keyof AnswerChanges)[]): AnswerChanges {
  return Object.fromEntries(names.map((name) => [name, () => Promise.reject(fault)]));
}

const intelligenceFails = (fault: unknown) => ({
  intelligence: { ...intelligenceDouble(), intelligence: () => Promise.reject(fault) },
});

/** Every part in its turn, as one expects to read them. */
const NAMES = 'token activity swaps candles holders counters intelligence launch funding_clusters'.split(
  ' ',
) as (keyof typeof PACK_PARTS)[];

describe('a pack', () => {
  it('is the bodies of its nine endpoints, byte for byte and in order', async () => {
    const { ask, spent } = serve();
    const own = await Promise.all(
      NAMES.map((name) => ask(`/api${PACK_PARTS[name].path.replace('{mint}', KNOWN_MINT)}`)),
    );
    const before = spent();
    const { body, headers } = await ask(`${PATH}/pack`);
    const parts = NAMES.map((name, i) => `"${name}":${own[i]?.body}`).join(',');
    const slots = NAMES.map((name) => `"${name}":${INDEXED_SLOT}`).join(',');
    expect(body).toBe(
      `{"mint":"${KNOWN_MINT}","ok":9,"failed":0,"cost":40,"parts":{${parts}},"slots":{${slots}},"errors":{}}`,
    );
    expect([headers['x-credits-cost'], spent() - before]).toEqual(['40', ALL]);
    expect(headers['cache-control']).toBe('private, max-age=1');
  });

  it.each([
    ['token', ['token'], 5],
    ['swaps,token', ['token', 'swaps'], 9],
    ['launch,launch,counters', ['counters', 'launch'], 9],
    [NAMES.slice(0, 8).join(), NAMES.slice(0, 8), 36],
    ['', NAMES, 40],
  ])('of parts=%s holds those and costs their share', async (text, names, cost) => {
    const { ask, spent } = serve();
    const pack = (await ask(`${PATH}/pack?parts=${text}`)).json();
    expect([Object.keys(pack.parts), pack.ok, pack.failed, pack.cost, spent()]).toEqual([
      names,
      names.length,
      0,
      cost,
      cost,
    ]);
  });

  it('names the parts that it does not know, for nothing', async () => {
    const { ask, spent } = serve();
    const answer = await ask(`${PATH}/pack?parts=token,trust`);
    expect([answer.statusCode, answer.json().error.code, answer.json().error.param]).toEqual([
      400,
      'invalid_param',
      'parts',
    ]);
    expect(spent()).toBe(0);
  });

  it('of a mint of which nothing is known is a 404 that costs nothing', async () => {
    const { ask, spent } = serve();
    for (const query of ['', '?parts=token', '?parts=funding_clusters,swaps']) {
      const answer = await ask(`/api/tokens/${UNKNOWN_MINT}/pack${query}`);
      expect([answer.statusCode, answer.json().error.code, answer.headers['x-credits-cost']]).toEqual([
        404,
        'token_not_found',
        '0',
      ]);
    }
    expect(spent()).toBe(0);
  });

  it('needs what all that is asked for costs, whatever comes of it', async () => {
    const { ask } = serve({}, { credits: 39, enforce: true });
    expect((await ask(`${PATH}/pack`)).json().error.details).toEqual({ cost: 40, remaining: 39 });
    expect((await ask(`${PATH}/pack?parts=token`)).statusCode).toBe(200);
  });
});

describe('a part that fails', () => {
  it('is told with its own code, and not paid for', async () => {
    const { ask, spent } = serve(intelligenceFails(new ApiError('warming_up')));
    const { statusCode, headers, ...answer } = await ask(`${PATH}/pack`);
    const pack = answer.json();
    expect([statusCode, pack.ok, pack.failed, pack.cost, spent()]).toEqual([200, 8, 1, 36, 36]);
    expect(headers['x-credits-cost']).toBe('36');
    expect(Object.keys(pack.parts)).toEqual(NAMES.filter((name) => name !== 'intelligence'));
    expect(pack.errors).toEqual({
      intelligence: { code: 'warming_up', message: 'the data is still loading', retry_after: 5 },
    });
  });

  it('tells nothing of a fault of ours', async () => {
    const { ask } = serve(intelligenceFails(new Error('secret table')));
    const answer = await ask(`${PATH}/pack`);
    expect(answer.body).not.toContain('secret');
    expect(answer.json().errors.intelligence.code).toBe('internal');
  });

  it('by taking too long holds nobody up', async () => {
    const impatient = { ...systemClock, sleep: async () => {} };
    const { ask, spent } = serve({
      intelligence: { ...intelligenceDouble(), intelligence: () => new Promise(() => {}) },
      pack: createPackAnswers({ feed: { headSlot: 1 }, shelf: { epoch: 0 }, clock: impatient }),
    });
    const pack = (await ask(`${PATH}/pack`)).json();
    expect([pack.ok, pack.errors.intelligence.code, spent()]).toEqual([8, 'query_timeout', 36]);
  });

  it('alone makes the pack what it is itself, which costs nothing', async () => {
    const { ask, spent } = serve(failing(new ApiError('query_timeout'), 'snapshot', 'swaps'));
    const answer = await ask(`${PATH}/pack?parts=token,swaps`);
    expect([answer.statusCode, answer.json().error.code]).toEqual([504, 'query_timeout']);
    expect([answer.headers['x-credits-cost'], answer.headers['retry-after'], spent()]).toEqual(['0', undefined, 0]);
    const error = { code: 'query_timeout', message: expect.any(String) };
    expect(answer.json().error.details).toEqual({ errors: { token: error, swaps: error } });
  });

  const LATE = new ReadFault('timed_out', 'late');
  const REFUSED = new ReadFault('over_share', 'too many reads at once', 3);
  const BUSY = new ReadFault('too_busy', 'too many wait');
  it.each([
    ['refused', [REFUSED, new ReadFault('over_share', 'too many reads at once', 4)], 429, '4'],
    ['refused and late', [REFUSED, LATE], 504, undefined],
    ['late and unavailable', [LATE, BUSY], 503, '2'],
    ['a fault of ours and refused', [new Error('secret'), REFUSED], 500, undefined],
  ])('beside another makes a pack of which nothing came: %s', async (_what, [token, swaps], status, retryAfter) => {
    const { ask, spent } = serve({ ...failing(token, 'snapshot'), ...failing(swaps, 'swaps') });
    const answer = await ask(`${PATH}/pack?parts=token,swaps`);
    expect([answer.statusCode, answer.headers['retry-after'], spent()]).toEqual([status, retryAfter, 0]);
  });
});

describe('the slot of a pack', () => {
  it('is that of its oldest part, and each part tells its own', async () => {
    const made = stampBody(Buffer.from('{"slot":3}'), 3);
    const tell = () => Buffer.from('{"slot":5}');
    const { ask } = serve({ indexedSlot: () => 5, snapshot: tell, holders: async () => made });
    const answer = await ask(`${PATH}/pack?parts=token,holders`);
    expect(answer.headers['x-indexed-slot']).toBe('3');
    expect(answer.json().slots).toEqual({ token: 5, holders: 3 });
  });

  it('is in its header, and no part out of memory is newer', async () => {
    const chain = { headSlot: 5 };
    const tell = async () => Buffer.from(`{"slot":${chain.headSlot}}`);
    const { ask } = serve({
      indexedSlot: () => chain.headSlot,
      snapshot: tell,
      swaps: tell,
      async holders() {
        await nextEvent();
        chain.headSlot += 1;
        await nextEvent();
        return tell();
      },
      pack: createPackAnswers({ feed: chain, shelf: { epoch: 0 }, clock: systemClock, rounds: 3 }),
    });
    const answer = await ask(`${PATH}/pack?parts=token,swaps,holders`);
    const { token, swaps, holders } = answer.json().parts;
    expect(Number(answer.headers['x-indexed-slot'])).toBe(chain.headSlot);
    expect([token.slot, swaps.slot]).toEqual([chain.headSlot, chain.headSlot]);
    expect(holders.slot).toBeLessThanOrEqual(chain.headSlot);
  });
});
