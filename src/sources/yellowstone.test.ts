import { createRequire } from 'node:module';
import type yellowstone from '@triton-one/yellowstone-grpc';
import { SubscribeRequest, type SubscribeUpdate } from '@triton-one/yellowstone-grpc';
import { afterEach, describe, expect, it } from 'vitest';
import {
  blockUpdate,
  type GeyserServer,
  pingUpdate,
  type Subscription,
  startGeyserServer,
  status,
} from '../../test/support/geyser-server.ts';
import type { Block } from '../chain/block.ts';
import { systemClock } from '../kernel/clock.ts';
import { failingJournal } from '../kernel/journal.ts';
import { silentLogger } from '../kernel/log.ts';
import { createSimulator } from '../simulator/simulator.ts';
import { confirmedBlocks } from './source.ts';
import { createYellowstoneSource } from './yellowstone.ts';
import { encodePing, encodeSubscribeRequest } from './yellowstone-request.ts';

// Its default export hides behind another one for whoever imports it as a module.
const { default: Client } = createRequire(import.meta.url)('@triton-one/yellowstone-grpc') as typeof yellowstone;

const servers: GeyserServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function serve(handler: (subscription: Subscription, connection: number) => unknown): Promise<string> {
  let connections = 0;
  const server = await startGeyserServer((subscription) => {
    connections += 1;
    handler(subscription, connections);
  });
  servers.push(server);
  return server.url;
}

/** Reads until `enough` blocks have come, then aborts. */
async function take(url: string, enough: number, fromSlot?: number, token?: string): Promise<number[]> {
  const controller = new AbortController();
  const source = createYellowstoneSource({
    url,
    token,
    clock: { ...systemClock, sleep: () => systemClock.sleep(1) },
    log: silentLogger,
    journal: failingJournal,
  });
  const seen: Block[] = [];
  for await (const block of confirmedBlocks(source, { fromSlot, signal: controller.signal })) {
    seen.push(block);
    if (seen.length >= enough) controller.abort();
  }
  return seen.map(({ slot }) => slot);
}

describe('what we send', () => {
  it('is read by the official codec as a subscription to whole confirmed blocks', () => {
    const request = SubscribeRequest.decode(encodeSubscribeRequest(454_896_123));
    expect(request.blocks).toEqual({
      mintscope: expect.objectContaining({
        accountInclude: [],
        includeTransactions: true,
        includeAccounts: false,
        includeEntries: false,
      }),
    });
    expect(request.slots).toEqual({ mintscope: expect.objectContaining({ filterByCommitment: true }) });
    expect(request.commitment).toBe(1);
    expect(request.fromSlot).toBe('454896123');
    expect(SubscribeRequest.decode(encodeSubscribeRequest(undefined)).fromSlot).toBeUndefined();
    expect(SubscribeRequest.decode(encodePing(7)).ping).toEqual({ id: 7 });
  });
});

describe('the Yellowstone source', () => {
  it('gives the blocks of a stream, with its token and start sent along', async () => {
    const seen: { token: unknown; fromSlot: unknown }[] = [];
    const url = await serve(({ metadata, request, send }) => {
      seen.push({ token: metadata.get('x-token')[0], fromSlot: request.fromSlot });
      for (const slot of [50, 51, 53]) send(blockUpdate(slot, slot === 53 ? 51 : slot - 1));
    });
    expect(await take(url, 3, 50, 'secret')).toEqual([50, 51, 53]);
    expect(seen).toEqual([{ token: 'secret', fromSlot: '50' }]);
  });

  it('loses and repeats nothing when the stream breaks: it goes on where it was', async () => {
    const starts: (string | undefined)[] = [];
    const url = await serve(({ request, send, end }, connection) => {
      starts.push(request.fromSlot);
      const first = connection === 1 ? 10 : 12;
      for (let slot = first; slot < first + 4; slot += 1) send(blockUpdate(slot));
      if (connection === 1) setTimeout(() => end(status.UNAVAILABLE, 'going away'), 50);
      if (connection === 2) setTimeout(() => end(), 50);
      if (connection === 3) for (let slot = 16; slot < 20; slot += 1) send(blockUpdate(slot));
    });
    expect(await take(url, 10, 10)).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
    expect(starts).toEqual(['10', '14', '16']);
  });

  it('answers pings', async () => {
    let pings: readonly number[] = [];
    const url = await serve((subscription) => {
      pings = subscription.pings;
      subscription.send(pingUpdate());
      const wait = setInterval(() => {
        if (pings.length === 0) return;
        clearInterval(wait);
        subscription.send(blockUpdate(1));
      }, 5);
    });
    await take(url, 1);
    expect(pings).toEqual([1]);
  });

  it('goes on at the oldest slot that the server still replays', async () => {
    const starts: (string | undefined)[] = [];
    const url = await serve(({ request, send, end }, connection) => {
      starts.push(request.fromSlot);
      if (connection === 1) end(status.OUT_OF_RANGE, 'broadcast from 10 is not available, last available: 500');
      else send(blockUpdate(500));
    });
    expect(await take(url, 1, 10)).toEqual([500]);
    expect(starts).toEqual(['10', '500']);
  });

  it('fails for good when the endpoint refuses the token', async () => {
    const url = await serve(({ end }) => end(status.UNAUTHENTICATED, 'no such token'));
    await expect(take(url, 1)).rejects.toMatchObject({ code: status.UNAUTHENTICATED });
  });

  it('reads no further ahead than its buffer while the house is busy', async () => {
    const BLOCKS = 100;
    // Field 1000, bytes: readers skip it, but it fills the stream.
    const padding = Buffer.concat([Buffer.from([0xc2, 0x3e, 0x80, 0x80, 0x40]), new Uint8Array(1_048_576)]);
    let sent = 0;
    const url = await serve(async ({ send, drained }) => {
      for (let slot = 1; slot <= BLOCKS; slot += 1) {
        if (!send(Buffer.concat([blockUpdate(slot), padding]))) await drained();
        sent = slot;
      }
    });
    const source = createYellowstoneSource({
      url,
      token: undefined,
      clock: systemClock,
      log: silentLogger,
      journal: failingJournal,
    });
    const controller = new AbortController();
    const slots: number[] = [];
    for await (const block of confirmedBlocks(source, { fromSlot: 1, signal: controller.signal })) {
      if (slots.length === 0) {
        await systemClock.sleep(500);
        expect(sent).toBeLessThan(BLOCKS / 2);
      }
      slots.push(block.slot);
      if (slots.length === BLOCKS) controller.abort();
    }
    expect(slots).toEqual(Array.from({ length: BLOCKS }, (_, place) => place + 1));
  });

  it('sees what the official client sees', async () => {
    const simulator = createSimulator({ seed: 'stream', sign: false });
    const updates = Array.from({ length: 5 }, () => simulator.next().geyser());
    const url = await serve(({ send }) => {
      for (const update of updates) send(update);
    });
    const client = new Client(url, undefined, undefined);
    await client.connect();
    const stream = await client.subscribe();
    const theirs: [number, number][] = [];
    for await (const update of stream) {
      const { block } = update as SubscribeUpdate;
      theirs.push([Number(block?.slot), block?.transactions.filter(({ isVote }) => !isVote).length ?? 0]);
      if (theirs.length === updates.length) break;
    }
    const controller = new AbortController();
    const source = createYellowstoneSource({
      url,
      token: undefined,
      clock: systemClock,
      log: silentLogger,
      journal: failingJournal,
    });
    const ours: [number, number][] = [];
    for await (const { slot, transactions } of confirmedBlocks(source, {
      fromSlot: undefined,
      signal: controller.signal,
    })) {
      ours.push([slot, transactions.length]);
      if (ours.length === updates.length) controller.abort();
    }
    expect(ours).toEqual(theirs);
  });
});
