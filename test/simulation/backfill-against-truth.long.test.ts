import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/kernel/clock.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { LOADS, scaleLoad } from '../../src/simulator/load.ts';
import { createSimulator, type SimulatedBlock } from '../../src/simulator/simulator.ts';
import { openStore, type Store } from '../../src/store/clickhouse/store.ts';
import { verifyStore } from '../../src/store/clickhouse/verify/verify.ts';
import { type RpcServer, startRpcServer } from '../support/rpc-server.ts';
import { createScriptedNode, type ScriptedNode } from '../support/scripted-node.ts';
import { type BlockView, holdingDifference, positionDifference, storeDifference } from './store-truth.ts';

const BLOCKS = 1_250;
/** Blocks given after which the process is killed, run after run: each behind a flush. */
const KILLS_AFTER_BLOCKS = [600, 560];
/** Refusals spread over the whole. */
const LIMITED_EVERY = 97;

let folder = '';
let server: RpcServer;
let node: ScriptedNode;
let store: Store;
let chain: SimulatedBlock[] = [];
const asked: number[] = [];
let said = '';
let exitCode: unknown;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mintscope-backfill-'));
  // Quiet blocks: what is tested is their number.
  const simulator = createSimulator({ seed: 'backfill', load: scaleLoad(LOADS.desk, 0.1), sign: false });
  chain = Array.from({ length: BLOCKS }, () => simulator.next());
  node = createScriptedNode(
    chain.map((block) => ({
      slot: block.slot,
      parentSlot: block.truth.facts('decoded').parentSlot,
      get result() {
        return block.rpc('base64');
      },
    })),
  );
  server = await startRpcServer(node.reply);
  // The middle first: what lies before and after comes to a store that has something.
  await run(chain[500]!.slot, chain[520]!.slot);
  for (const blocks of KILLS_AFTER_BLOCKS) await run(chain[0]!.slot, chain.at(-1)!.slot, blocks);
  await run(chain[0]!.slot, chain.at(-1)!.slot);
  store = await openStore({ url: undefined, dataDir: join(folder, 'data'), log: silentLogger, clock: systemClock });
});

afterAll(async () => {
  await store?.close();
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

/** The command, as a process of its own: only those can be killed in the middle of anything. */
function start(first: number, last: number): ChildProcess {
  const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
  const script = `const { main } = await import(${JSON.stringify(main)}); await main(process.argv.slice(1));`;
  const words = ['backfill', '--from', String(first), '--to', String(last)];
  return spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script, ...words], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      MINTSCOPE_DATA_DIR: join(folder, 'data'),
      MINTSCOPE_LOG_LEVEL: 'error',
      SOLANA_RPC_URL: server.url,
      CLICKHOUSE_URL: '',
    },
  });
}

async function run(first: number, last: number, killAfter = Number.POSITIVE_INFINITY): Promise<void> {
  const child = start(first, last);
  const exited = once(child, 'exit');
  let blocks = 0;
  let calls = 0;
  said = '';
  child.stderr!.on('data', (text) => {
    said += String(text);
  });
  node.quirk = (method) => {
    calls += 1;
    if (calls % LIMITED_EVERY === 0) return { status: 429, headers: { 'retry-after': '0.05' } };
    if (method !== 'getBlock') return undefined;
    blocks += 1;
    if (blocks > killAfter) {
      child.kill('SIGKILL');
      return { status: 503 };
    }
    return undefined;
  };
  [exitCode] = await exited;
  asked.push(blocks);
}

describe('backfill that is killed twice and started again', () => {
  it('was really killed in the middle, and asked only for what was missing', () => {
    expect(exitCode).toBe(0);
    expect(asked).toHaveLength(4);
    // A kill costs the blocks that were not flushed: the last run has not had to begin again.
    expect(asked[3]).toBeLessThan(BLOCKS - 2 * 512 + 100);
    expect(said).toContain('100.0 %');
    expect(said).toMatch(/positions of \d+ tokens folded again/);
  });

  it('leaves every fact that is true, once', async () => {
    const truth = chain.map(({ slot, truth: each }): BlockView => ({ slot, views: [each.facts('wire')] }));
    expect(await storeDifference(store.client, truth)).toBeUndefined();
  });

  it('leaves every position as one fold over all swaps gives it', async () => {
    const facts = chain.map(({ truth }) => truth.facts('decoded'));
    expect(facts.flatMap(({ swaps }) => swaps).length).toBeGreaterThan(500);
    expect(await positionDifference(store.client, facts)).toBeUndefined();
  });

  it('leaves every holding as one fold over all swaps and movements gives it', async () => {
    const facts = chain.map(({ truth }) => truth.facts('decoded'));
    expect(await holdingDifference(store.client, facts)).toBeUndefined();
  });

  it('covers every slot, and leaves copies and rollups that equal their facts', async () => {
    expect(store.coverage).toEqual([
      { first: chain[0]!.truth.facts('decoded').parentSlot + 1, last: chain.at(-1)!.slot },
    ]);
    const { mismatches } = await verifyStore(store);
    expect(mismatches).toEqual([]);
  });
});
