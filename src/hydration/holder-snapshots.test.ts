import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { type RpcReply, type RpcServer, startRpcServer } from '../../test/support/rpc-server.ts';
import { address } from '../../test/support/token-world-rows.ts';
import type { Address } from '../chain/address.ts';
import { addressBytes } from '../chain/keys/address-table.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../chain/well-known.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import { silentLogger } from '../kernel/log.ts';
import { createRpcClient } from '../sources/json-rpc.ts';
import { createRpcTransport } from '../sources/rpc-transport.ts';
import { MAX_HOLDER_ACCOUNTS } from './holder-snapshot.ts';
import { createHolderSnapshots, type HolderSnapshotReader } from './holder-snapshots.ts';

const MINT = address(11);
const START = 1_800_000_000_000;
const MAX_BYTES = 10 * 1024 * 1024;

interface Asked {
  readonly method: string;
  readonly params: readonly unknown[];
}

const open: { readonly server: RpcServer; readonly snapshots: HolderSnapshotReader }[] = [];
afterEach(async () => {
  for (const { server, snapshots } of open.splice(0)) {
    snapshots.stop();
    await server.close();
  }
});

/** A node that answers as told, and who asks it; time passes when the test says so. */
async function createStage(reply: () => RpcReply | Promise<RpcReply>) {
  const asked: Asked[] = [];
  let elapsed = 0;
  const clock: Clock = { now: () => START + elapsed, elapsed: () => elapsed, sleep: async () => {} };
  const server = await startRpcServer((method, params) => {
    asked.push({ method, params });
    return reply();
  });
  const transport = createRpcTransport(server.url, MAX_BYTES);
  const rpc = createRpcClient({ url: server.url, clock: systemClock, log: silentLogger, transport });
  const snapshots = createHolderSnapshots({ rpc, clock, log: silentLogger });
  open.push({ server, snapshots });
  const find = (mint: Address = MINT, tokenProgram: Address | '' = TOKEN_PROGRAM) =>
    snapshots.find({ mint, tokenProgram });
  return {
    asked,
    find,
    pass: (ms: number) => {
      elapsed += ms;
    },
    /** Until the node was asked so many times and its answer was taken in. */
    async settled(times: number) {
      await expect.poll(() => asked.length).toBe(times);
      await expect.poll(() => rpc.figures().inFlight).toBe(0);
      await setImmediate();
    },
    async underWay(calls: number) {
      await expect.poll(() => asked.length).toBe(calls);
    },
  };
}

function account(owner: Address, amount: bigint) {
  const data = Buffer.alloc(40);
  data.set(addressBytes(owner));
  data.writeBigUInt64LE(amount, 32);
  return {
    pubkey: address(1),
    account: { data: [data.toString('base64'), 'base64'], owner: TOKEN_PROGRAM, space: 165 },
  };
}

function answer(slot: number, accounts: readonly object[]): RpcReply {
  return { result: { context: { slot }, value: accounts } };
}

const HELD = answer(77, [
  account(address(21), 5n),
  account(address(22), 18_446_744_073_709_551_615n),
  account(address(21), 2n),
  account(address(23), 0n),
]);

describe('holder snapshots', () => {
  it('add up the accounts of each owner, and are waited for by nobody', async () => {
    const stage = await createStage(() => HELD);
    expect(stage.find()).toBeUndefined();
    await stage.settled(1);
    expect(stage.find()).toEqual({
      slot: 77,
      readAt: START,
      balances: new Map([
        [address(21), 7n],
        [address(22), 18_446_744_073_709_551_615n],
      ]),
    });
    expect(stage.asked).toHaveLength(1);
  });

  it.each([
    [TOKEN_PROGRAM, [{ dataSize: 165 }, { memcmp: { offset: 0, bytes: MINT } }]],
    [TOKEN_2022_PROGRAM, [{ memcmp: { offset: 0, bytes: MINT } }]],
  ])('ask %s for owners and amounts alone, confirmed, with the slot', async (program, filters) => {
    const stage = await createStage(() => HELD);
    stage.find(MINT, program);
    await stage.settled(1);
    const options = { encoding: 'base64', commitment: 'confirmed', withContext: true, filters };
    expect(stage.asked).toEqual([
      { method: 'getProgramAccounts', params: [program, { ...options, dataSlice: { offset: 32, length: 40 } }] },
    ]);
  });

  it('are not asked for while the token program is not known', async () => {
    const stage = await createStage(() => HELD);
    expect(stage.find(MINT, '')).toBeUndefined();
    expect(stage.find(MINT, address(5))).toBeUndefined();
    await setImmediate();
    expect(stage.asked).toEqual([]);
  });

  it('are shared by all who ask, reused for 30 seconds, and given until the next is there for a minute at most', async () => {
    const stage = await createStage(() => HELD);
    for (let count = 0; count < 5; count += 1) stage.find();
    await stage.settled(1);
    stage.pass(29_999);
    expect(stage.find()?.slot).toBe(77);
    await stage.settled(1);
    stage.pass(1);
    expect(stage.find()?.readAt).toBe(START);
    await stage.settled(2);
    expect(stage.find()?.readAt).toBe(START + 30_000);
    stage.pass(60_001);
    expect(stage.find()).toBeUndefined();
  });

  it.each<[string, RpcReply]>([
    ['by an error', { error: { code: -32_601, message: 'method not found' } }],
    ['by a status', { status: 403 }],
  ])('leave a node that refuses %s alone for ten minutes, whatever the mint', async (_how, refusal) => {
    const stage = await createStage(() => refusal);
    stage.find();
    await stage.settled(1);
    stage.pass(599_999);
    stage.find();
    stage.find(address(12));
    await stage.settled(1);
    stage.pass(1);
    stage.find(address(12));
    await stage.settled(2);
  });

  it('leave a mint that a node refuses alone, and the node once it refuses three in a row', async () => {
    const refusal: RpcReply = { error: { code: -32_600, message: 'Too many accounts requested' } };
    const replies = [refusal, refusal, HELD, refusal, refusal, refusal];
    const stage = await createStage(() => replies.shift()!);
    for (const [place, seed] of [11, 12, 13, 14, 15, 16].entries()) {
      stage.find(address(seed));
      await stage.settled(place + 1);
    }
    stage.find(address(17));
    stage.pass(599_999);
    stage.find(address(17));
    stage.find(address(16));
    await stage.settled(6);
  });

  it.each<[string, () => RpcReply]>([
    [
      'accounts',
      () =>
        answer(
          1,
          Array.from({ length: MAX_HOLDER_ACCOUNTS + 1 }, () => account(address(21), 1n)),
        ),
    ],
    ['bytes', () => answer(1, [{ ...account(address(21), 1n), rest: 'x'.repeat(MAX_BYTES) }])],
  ])('leave a mint with too many %s alone for ten minutes, and no other', async (_what, reply) => {
    const stage = await createStage(reply);
    stage.find();
    await stage.settled(1);
    expect(stage.find()).toBeUndefined();
    stage.pass(599_999);
    stage.find();
    await stage.settled(1);
    stage.find(address(12));
    await stage.settled(2);
    stage.pass(1);
    stage.find();
    await stage.settled(3);
  });

  it.each<[string, RpcReply]>([
    ['nobody, not even a curve', answer(5, [])],
    ['something else', { result: [] }],
    ['accounts without their slice', answer(5, [{ account: { data: ['', 'base64'] } }])],
  ])('believe no node that tells of %s, and ask again after a minute', async (_what, reply) => {
    const stage = await createStage(() => reply);
    stage.find();
    await stage.settled(1);
    stage.pass(59_999);
    expect(stage.find()).toBeUndefined();
    await stage.settled(1);
    stage.pass(1);
    stage.find();
    await stage.settled(2);
  });

  it('are asked for two at a time', async () => {
    const held: (() => void)[] = [];
    const stage = await createStage(() => new Promise((resolve) => held.push(() => resolve(HELD))));
    for (const seed of [11, 12, 13]) stage.find(address(seed));
    await stage.underWay(2);
    for (const release of held.splice(0)) release();
    await stage.settled(2);
    expect(stage.find(address(13))).toBeUndefined();
    await stage.underWay(3);
    for (const release of held.splice(0)) release();
  });
});
