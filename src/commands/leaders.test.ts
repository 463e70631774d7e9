import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../../test/support/eventually.ts';
import { createMemoryLeaderStore } from '../../test/support/memory-leaders.ts';
import { createQuickClock } from '../../test/support/quick-clock.ts';
import { type RpcReply, type RpcServer, startRpcServer } from '../../test/support/rpc-server.ts';
import { openTestStore, type TestStore } from '../../test/support/store.ts';
import { encodeAddress } from '../chain/keys/base58.ts';
import { systemClock } from '../kernel/clock.ts';
import { silentJournal } from '../kernel/journal.ts';
import { silentLogger } from '../kernel/log.ts';
import { createLeaders, type Leaders } from '../leaders/leaders.ts';
import { createSimulatorSource } from '../sources/simulator.ts';
import { createChainRpc } from './chain-rpc.ts';
import { openLeaders } from './leaders.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function started(leaders: Leaders): Leaders {
  closing.push(() => leaders.stop());
  return leaders;
}

describe('leaders of a simulated chain', () => {
  it('are those whose blocks it has', async () => {
    const test: TestStore = await openTestStore();
    closing.push(() => test.close());
    const feed = { headSlot: 460_000_000, committedSlot: 0 };
    const tools = { client: test.store.client, rpc: undefined, feed, clock: systemClock, log: silentLogger };
    const leaders = started(openLeaders({ source: 'simulator', simulatorSeed: 5 }, tools));
    await eventually(() => expect(leaders.leaderAt(460_000_000)).toBeDefined());
    const stopping = new AbortController();
    const texts: { readonly slot: number; readonly text: string }[] = [];
    const tap = (slot: number, bytes: Uint8Array) => {
      texts.push({ slot, text: Buffer.from(bytes).toString('latin1') });
      if (texts.length === 10) stopping.abort();
    };
    const clock = createQuickClock(1_000);
    const source = createSimulatorSource({
      seed: 5,
      load: 'desk',
      clock,
      log: silentLogger,
      journal: silentJournal,
      tap,
    });
    for await (const _ of source.steps({ fromSlot: undefined, signal: stopping.signal })) await setImmediate();
    // The reward names who made the block.
    for (const { slot, text } of texts) expect(text).toContain(leaders.leaderAt(slot)!.identity);
  });
});

const SLOTS = 432_000;
const FIRST = SLOTS * 1_064;
const LEADERS = 1_000;
const address = (number: number) => {
  const bytes = new Uint8Array(32).fill(7);
  new DataView(bytes.buffer).setUint32(0, number);
  return encodeAddress(bytes);
};
const identities = Array.from({ length: LEADERS }, (_, number) => address(number));

/** Answers of mainnet's size. */
function largeAnswer(method: string): unknown {
  switch (method) {
    case 'getEpochSchedule':
      return { slotsPerEpoch: SLOTS, firstNormalEpoch: 0, firstNormalSlot: 0, warmup: false };
    case 'getEpochInfo':
      return { absoluteSlot: FIRST + 5 };
    case 'getLeaderSchedule': {
      const schedule: Record<string, number[]> = Object.fromEntries(identities.map((identity) => [identity, []]));
      for (let slot = 0; slot < SLOTS; slot += 1) schedule[identities[(slot >> 2) % LEADERS]!]!.push(slot);
      return schedule;
    }
    case 'getVoteAccounts': {
      const credits = Array.from({ length: 5 }, (_, epoch) => [epoch, 10 ** 9, 10 ** 9]);
      const votes = Array.from({ length: 1_800 }, (_, number) => ({
        ...{ nodePubkey: address(number), votePubkey: address(number + 10_000), activatedStake: 10 ** 15 + number },
        ...{ commission: 5, epochVoteAccount: true, epochCredits: credits, lastVote: FIRST, rootSlot: FIRST },
      }));
      return { current: votes.slice(50), delinquent: votes.slice(0, 50) };
    }
    case 'getClusterNodes':
      return Array.from({ length: 5_000 }, (_, number) => ({
        ...{ pubkey: address(number), gossip: `10.0.${number >> 8}.${number & 255}:8001`, version: '4.2.1' },
        ...{ tpu: null, tpuQuic: '10.0.0.1:8009', tpuForwards: null, tvu: '10.0.0.1:8002', clientId: 'Agave' },
        ...{ featureSet: 3_640_012_085, shredVersion: 50_093, rpc: null, pubsub: null, serveRepair: '10.0.0.1:8012' },
      }));
    default:
      return [];
  }
}

describe('leaders of a node’s chain', () => {
  it('are read from answers of mainnet’s size, though the node limits us, breaks, and refuses names', async () => {
    const calls = new Map<string, number>();
    const server: RpcServer = await startRpcServer((method): RpcReply => {
      const call = (calls.get(method) ?? 0) + 1;
      calls.set(method, call);
      if (method === 'getProgramAccounts')
        return { error: { code: -32_010, message: 'excluded from secondary indexes' } };
      if (call === 1) return { status: 429, headers: { 'retry-after': '0' } };
      if (call === 2) return { status: 502 };
      return { result: largeAnswer(method) };
    });
    closing.push(() => server.close());
    const config = { solanaRpcUrl: server.url, source: 'rpc' } as Parameters<typeof createChainRpc>[0];
    const rpc = createChainRpc(config, { clock: systemClock, log: silentLogger })!;
    const store = createMemoryLeaderStore();
    const tools = { head: () => FIRST + 5, clock: systemClock, log: silentLogger };
    const leaders = started(createLeaders({ node: rpc.patient(), store, ...tools }));
    await eventually(() => {
      expect(leaders.leaderAt(FIRST + SLOTS)).toBeDefined();
      expect(leaders.leaderAt(FIRST - 1)).toBeDefined();
      expect(store.rows.get(1_064)?.size).toBe(1_800);
    });
    for (const slot of [FIRST, FIRST + 4_003, FIRST + SLOTS - 1])
      expect(leaders.leaderAt(slot)).toEqual({
        ...{ identity: identities[((slot - FIRST) >> 2) % LEADERS], version: '4.2.1', clientId: 3, commission: 5 },
        vote: address((((slot - FIRST) >> 2) % LEADERS) + 10_000),
        stake: BigInt(10 ** 15 + (((slot - FIRST) >> 2) % LEADERS)),
        isDelinquent: ((slot - FIRST) >> 2) % LEADERS < 50,
        gossipIp: expect.stringMatching(/^10\.0\./),
      });
    expect(calls.get('getLeaderSchedule')).toBe(5);
    expect(calls.get('getProgramAccounts')).toBe(1);
  });
});
