import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFactsMaker } from '../../test/support/block-facts.ts';
import { type RpcServer, startRpcServer } from '../../test/support/rpc-server.ts';
import { openTestStore, type TestStore } from '../../test/support/store.ts';
import type { Address } from '../chain/address.ts';
import { TOKEN_PROGRAM } from '../chain/well-known.ts';
import { readConfig } from '../config.ts';
import { systemClock } from '../kernel/clock.ts';
import { silentLogger } from '../kernel/log.ts';
import { readSweptSlots } from '../store/clickhouse/derived/sweep.ts';
import { MEMPOOL_BUYERS_SWEEP } from '../store/clickhouse/derived/swept-tables.ts';
import { toRowBatch } from '../store/clickhouse/schema/fact-rows.ts';
import { startBackground } from './background.ts';
import { createChainRpc } from './chain-rpc.ts';

let test: TestStore;
let node: RpcServer;
const maker = createFactsMaker({ seed: 4, mints: 3 });
const mint = Buffer.alloc(82);
mint[44] = 6;
mint[45] = 1;

beforeAll(async () => {
  test = await openTestStore();
  await test.store.writer.flush([toRowBatch({ ...maker.next(), created: [] }, [])]);
  node = await startRpcServer((_method, params) => ({
    result: {
      context: { slot: 7 },
      value: (params[0] as Address[]).map((address) =>
        maker.mints.includes(address) ? { owner: TOKEN_PROGRAM, data: [mint.toString('base64'), 'base64'] } : null,
      ),
    },
  }));
});
afterAll(async () => {
  await node?.close();
  await test?.close();
});

function start(
  env: Readonly<Record<string, string>>,
  changed: (mints: readonly Address[]) => void,
  isWarm: () => boolean = () => true,
) {
  const config = readConfig({ SOLANA_RPC_URL: node.url, ...env });
  return startBackground(config, {
    client: test.store.client,
    rpc: createChainRpc(config, { clock: systemClock, log: silentLogger }),
    feed: { changed },
    isWarm,
    clock: systemClock,
    log: silentLogger,
  });
}

it('sweeps the store and asks the chain for tokens of before, until it is stopped', async () => {
  const told = await new Promise<readonly Address[]>((resolve) => {
    const background = start({ MINTSCOPE_SOURCE: 'rpc' }, (mints) => void background.stop().then(() => resolve(mints)));
  });
  expect(told.length).toBeGreaterThan(0);
  for (const each of told) expect(maker.mints).toContain(each);
});

it('asks no real chain for simulated tokens', async () => {
  await test.store.client.command({ query: 'TRUNCATE TABLE hydrated_tokens' });
  await test.store.client.command({ query: 'TRUNCATE TABLE swept_slots' });
  const background = start({ MINTSCOPE_SOURCE: 'simulator' }, () => expect.unreachable('a real chain was asked'));
  await expect.poll(() => readSweptSlots(test.store.client, MEMPOOL_BUYERS_SWEEP)).toHaveLength(1);
  await background.stop();
});

it('goes through the store once what visitors ask for first has been read', async () => {
  await test.store.client.command({ query: 'TRUNCATE TABLE swept_slots' });
  let looks = 0;
  let sweptBefore = 0;
  const swept = () => readSweptSlots(test.store.client, MEMPOOL_BUYERS_SWEEP);
  let isWarm = false;
  const background = start(
    { MINTSCOPE_SOURCE: 'simulator' },
    () => {},
    () => {
      looks += 1;
      return isWarm;
    },
  );
  // Some looks later nothing has been gone through.
  await expect.poll(() => looks, { timeout: 10_000 }).toBeGreaterThan(4);
  sweptBefore = (await swept()).length;
  isWarm = true;
  await expect.poll(swept, { timeout: 10_000 }).toHaveLength(1);
  expect(sweptBefore).toBe(0);
  await background.stop();
});

it('ends while it waits for that', async () => {
  const background = start(
    { MINTSCOPE_SOURCE: 'simulator' },
    () => {},
    () => false,
  );
  await background.stop();
});
