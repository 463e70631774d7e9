import { expect, it } from 'vitest';
import { createFactsMaker } from '../../../test/support/block-facts.ts';
import { openStoreHosts, takeOver } from '../../../test/support/store-hosts.ts';
import { runStatement, type StoreClient } from '../../store/clickhouse/client.ts';
import { fillSumsStep } from '../../store/clickhouse/derived/fill-sums.ts';
import { readCoverage } from '../../token/coverage-reads.ts';
import { historyBody } from './history.ts';

/** The beginning of an hour. */
const START = 1_789_999_200;
const HOUR_S = 3_600;
const FIRST_SLOT = 200_000_000;
/** Of two hours and some minutes. */
const BLOCKS = 160;
/** So long a question of what is filled waits for the values, if these are asked for beside it. */
const PATIENCE_MS = 2_000;

it('a history tells no zeros of what its rollup is filled with while it is read', async () => {
  const hosts = await openStoreHosts();
  const client = await hosts.openDatabase();
  const writer = await takeOver(client, { folder: await hosts.newFolder(), epoch: 1 });
  const maker = createFactsMaker({ seed: 6, swapsPerBlock: 1, firstSlot: FIRST_SLOT });
  const blocks = Array.from({ length: BLOCKS }, (_, at) => {
    const facts = maker.next();
    const time = START + at * 60;
    return { ...facts, time, swaps: facts.swaps.map((swap) => ({ ...swap, time })), created: [], transfers: [] };
  });
  await writer.flush(blocks.map((facts) => maker.toBatch(facts)));
  await writer.close(1_000);
  const mark = FIRST_SLOT + BLOCKS - 1;
  await runStatement(client, 'TRUNCATE TABLE venue_minutes');
  await runStatement(client, `INSERT INTO due_slots VALUES ('venue_minutes', ${FIRST_SLOT}, ${mark}, 0)`);

  let tellRead = () => {};
  const valuesRead = new Promise<void>((resolve) => {
    tellRead = resolve;
  });
  const between = new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return async (...args: [Parameters<StoreClient['exec']>[0]]) => {
        const query = String(args[0]?.query);
        if (query.includes('FROM swept_slots')) {
          await Promise.race([valuesRead, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
        }
        const answer = await value.apply(target, args);
        if (query.includes('FROM venue_minutes')) {
          while ((await fillSumsStep(client, 'venue_minutes')) !== undefined);
          tellRead();
        }
        return answer;
      };
    },
  });
  const deps = {
    ...{ client: between, feed: { committedSlot: mark }, clock: { now: () => (START + BLOCKS * 60) * 1_000 } },
    coverage: () => readCoverage(client),
    unbroken: async () => ({ first: FIRST_SLOT, since: START }),
    wholeSince: async () => new Map(),
  };
  const ask = async () => {
    const question = { metric: 'trades', step: '1h', from: START, to: START + 3 * HOUR_S } as const;
    const { t, v } = JSON.parse(String(await historyBody(deps, question)));
    return { t, isZero: v.map((value: number) => value === 0) };
  };
  expect((await ask()).isZero).not.toContain(true);
  expect(await ask()).toEqual({ t: [START + HOUR_S, START + 2 * HOUR_S], isZero: [false, false] });
  await client.close();
  await hosts.close();
});
