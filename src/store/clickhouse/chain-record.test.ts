import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFactsMaker } from '../../../test/support/block-facts.ts';
import { createQuickClock } from '../../../test/support/quick-clock.ts';
import { copyDatabase, openTestStore, type TestStore } from '../../../test/support/store.ts';
import { readChain, SIMULATED_CHAIN } from '../../chain/clusters.ts';
import { silentLogger } from '../../kernel/log.ts';
import type { StoreChain } from './chain-record.ts';
import { connectionUrl } from './client.ts';
import { openStore } from './store.ts';

const START = 1_000;
const chain = (name: string): StoreChain => ({ id: readChain(name)!, knownBy: 'the test', simulatedStart: START });
const MAINNET = chain('mainnet');
const DEVNET = chain('devnet');
const SIMULATED = chain(SIMULATED_CHAIN);

/** A lease is waited for in seconds. */
const clock = createQuickClock(5);

let test: TestStore;
let scratch: string;
let count = 0;
beforeAll(async () => {
  test = await openTestStore();
  scratch = await mkdtemp(join(tmpdir(), 'mintscope-chain-'));
});
afterAll(async () => {
  await test.close();
  await rm(scratch, { recursive: true, force: true });
});

/** A store of its own in a database of its own. */
async function place() {
  count += 1;
  const name = `chain_${count}`;
  const url = connectionUrl(await copyDatabase(test.store, name));
  const logged: string[] = [];
  const log = {
    ...silentLogger,
    info: (fields: object, text: string) => logged.push(`${text} ${JSON.stringify(fields)}`),
  };
  return {
    name,
    logged,
    /** Opens it as that chain, writes a block at each of the slots, closes it. */
    async run(of: StoreChain | undefined, slots: readonly number[] = []) {
      const store = await openStore({ url, dataDir: join(scratch, name), chain: of, log, clock });
      for (const firstSlot of slots) await store.writer.flush([createFactsMaker({ firstSlot }).nextBatch()]);
      await store.close();
    },
    /** Its blockhashes by slot. */
    async hashes(): Promise<ReadonlyMap<number, string>> {
      const query = `SELECT slot, blockhash FROM ${name}.blocks`;
      const answer = await test.store.client.query({ query, format: 'JSONEachRow' });
      const rows = await answer.json<{ slot: number; blockhash: string }>();
      return new Map(rows.map(({ slot, blockhash }) => [slot, blockhash]));
    },
    async record(): Promise<readonly string[]> {
      const answer = await test.store.client.query({
        query: `SELECT chain FROM ${name}.chain_record FINAL`,
        format: 'JSONEachRow',
      });
      return (await answer.json<{ chain: string }>()).map((row) => row.chain);
    },
  };
}

describe('a store of one chain', () => {
  it('takes the first chain for its own, and refuses every other one with a remedy', async () => {
    const store = await place();
    await store.run(MAINNET, [50]);
    await store.run(MAINNET, [51]);
    for (const other of [DEVNET, SIMULATED]) {
      await expect(store.run(other)).rejects.toMatchObject({
        code: 'other_chain',
        message: expect.stringMatching(/is of mainnet, .*MINTSCOPE_DATA_DIR.*another database/),
      });
    }
    expect(await store.record()).toEqual([MAINNET.id]);
  });

  it('of the simulator is of it whatever the seed, and takes no real block', async () => {
    const store = await place();
    await store.run(SIMULATED, [START]);
    await store.run(SIMULATED);
    await expect(store.run(MAINNET)).rejects.toMatchObject({
      code: 'other_chain',
      message: expect.stringContaining('is of the simulated chain'),
    });
  });

  it('that never got a block is bound to nothing', async () => {
    const store = await place();
    await store.run(MAINNET);
    await store.run(DEVNET, [50]);
    expect(await store.record()).toEqual([DEVNET.id]);
  });

  it('is not looked at by those who write no blocks', async () => {
    const store = await place();
    await store.run(SIMULATED, [START]);
    await store.run(undefined);
    expect(await store.record()).toEqual([SIMULATED_CHAIN]);
  });
});

describe('a store without a record', () => {
  it.each([
    { slots: [50, 60], ours: MAINNET, other: SIMULATED, of: 'a real chain, by slots before any simulated one' },
    { slots: [START, START + 5], ours: SIMULATED, other: MAINNET, of: 'the simulated chain, by its first slot' },
  ])('is judged once to be of $of, and the log says how', async ({ slots, ours, other }) => {
    const store = await place();
    await store.run(undefined, slots);
    await expect(store.run(other)).rejects.toMatchObject({ code: 'other_chain' });
    await store.run(ours);
    await store.run(ours);
    expect(store.logged.filter((line) => line.includes('judged by its'))).toHaveLength(1);
    expect(await store.record()).toEqual([ours.id]);
  });

  it('with blocks of two chains belongs to neither', async () => {
    const store = await place();
    await store.run(undefined, [50, START]);
    for (const each of [MAINNET, SIMULATED]) {
      await expect(store.run(each)).rejects.toThrow('holds blocks of two chains');
    }
  });

  it('is judged by blockhashes where there is a node to ask, whatever its slots say', async () => {
    const store = await place();
    await store.run(undefined, [START, START + 1]);
    const hashes = await store.hashes();
    const wrong = { ...MAINNET, blockhashAt: async (slot: number) => `other${slot}` };
    await expect(store.run(wrong)).rejects.toThrow(`other blocks than its node at slot ${START}`);
    await store.run({ ...MAINNET, blockhashAt: async (slot: number) => hashes.get(slot) });
    expect(store.logged.join()).toContain('judged by blockhashes');
  });

  it('is judged by its slots where the node has none of its blocks', async () => {
    const store = await place();
    await store.run(undefined, [50]);
    await store.run({ ...MAINNET, blockhashAt: async () => undefined });
    expect(store.logged.join()).toContain('judged by its slots');
  });
});
