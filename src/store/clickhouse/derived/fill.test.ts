import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFactsMaker } from '../../../../test/support/block-facts.ts';
import { createHandClock } from '../../../../test/support/hand-clock.ts';
import { openTestStore, type TestStore } from '../../../../test/support/store.ts';
import { silentLogger } from '../../../kernel/log.ts';
import { runStatement, type StoreClient } from '../client.ts';
import { FILL_STEPS } from '../schema/codes.ts';
import { verifyStore } from '../verify/verify.ts';
import { FORGET_FILLED, readFillSteps, runFill } from './fill.ts';

let test: TestStore;
beforeAll(async () => {
  test = await openTestStore();
});
afterAll(() => test.close());

it('goes through fewer tokens at once where the store does not take so many in time', async () => {
  const { client, writer } = test.store;
  const maker = createFactsMaker({ seed: 41, swapsPerBlock: 60, mints: 40 });
  await writer.flush(Array.from({ length: 30 }, () => maker.nextBatch()));
  for (const { table, where } of FORGET_FILLED) await runStatement(client, `DELETE FROM ${table} WHERE ${where}`);
  const clock = createHandClock();
  const stop = new AbortController();
  let refused = 0;
  const refusing = new Proxy(client, {
    get(target, name, receiver) {
      if (name !== 'command') return Reflect.get(target, name, receiver);
      return (command: Parameters<StoreClient['command']>[0]) => {
        // All tokens at once are what takes too long.
        const isWide = /^INSERT INTO token_card/.test(command.query) && !/mint < /.test(command.query);
        const [, from = '0000'] = /mint >= toFixedString\(unhex\('(\w{4})/.exec(command.query) ?? [];
        if (!isWide || from !== '0000') return target.command(command);
        refused += 1;
        return Promise.reject(Object.assign(new Error('Timeout exceeded'), { code: '159' }));
      };
    },
  });
  const running = runFill(refusing, { clock, log: silentLogger, signal: stop.signal });
  for (let round = 0; round < 2_000 && (await readFillSteps(client)) < FILL_STEPS; round += 1) {
    await clock.advance(10_000);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  stop.abort();
  await running;
  expect(refused).toBeGreaterThan(1);
  expect(await readFillSteps(client)).toBe(FILL_STEPS);
  expect((await verifyStore(test.store)).mismatches).toEqual([]);
});
