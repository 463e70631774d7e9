import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { ChainFollower } from '../../test/support/chain-follower.ts';
import {
  blockUpdate,
  type GeyserServer,
  pingUpdate,
  SlotStatus,
  type Subscription,
  slotUpdate,
  startGeyserServer,
  status,
} from '../../test/support/geyser-server.ts';
import { eventSlot, FIRST_SLOT, makeSlotHistory } from '../../test/support/slot-history.ts';
import { systemClock } from '../kernel/clock.ts';
import { failingJournal } from '../kernel/journal.ts';
import { silentLogger } from '../kernel/log.ts';
import type { SlotEvent } from './slot-state.ts';
import type { BlockSource, ChainStep } from './source.ts';
import { createYellowstoneSource, type YellowstoneSourceOptions } from './yellowstone.ts';
import { WINDOW_BYTES } from './yellowstone-stream.ts';
import { MAX_BUFFERED_BYTES } from './yellowstone-updates.ts';

const TLS = fileURLToPath(new URL('../../test/fixtures/tls/', import.meta.url));

const servers: GeyserServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

type Handler = (subscription: Subscription, connection: number) => unknown;

async function serve(handler: Handler, identity?: Parameters<typeof startGeyserServer>[1]): Promise<string> {
  let connections = 0;
  const server = await startGeyserServer((subscription) => {
    connections += 1;
    handler(subscription, connections);
  }, identity);
  servers.push(server);
  return server.url;
}

function sourceOf(url: string, more: Partial<YellowstoneSourceOptions> = {}): BlockSource {
  return createYellowstoneSource({
    url,
    token: undefined,
    clock: { ...systemClock, sleep: () => systemClock.sleep(1) },
    log: silentLogger,
    journal: failingJournal,
    ...more,
  });
}

/** Reads until `isEnough`, then aborts. */
async function follow(
  source: BlockSource,
  fromSlot: number | undefined,
  isEnough: (steps: readonly ChainStep[]) => boolean,
): Promise<ChainStep[]> {
  const controller = new AbortController();
  const steps: ChainStep[] = [];
  for await (const step of source.steps({ fromSlot, signal: controller.signal })) {
    steps.push(step);
    if (isEnough(steps)) controller.abort();
  }
  return steps;
}

/** The slots of so many blocks. */
async function take(
  url: string,
  enough: number,
  fromSlot?: number,
  more: Partial<YellowstoneSourceOptions> = {},
): Promise<number[]> {
  const steps = await follow(sourceOf(url, more), fromSlot, ({ length }) => length === enough);
  return steps.map((step) => (step.kind === 'block' ? step.block.slot : -1));
}

const brief = (steps: readonly ChainStep[]) =>
  steps.map((step) =>
    step.kind === 'block'
      ? `${step.confirmed ? 'block' : 'unconfirmed'} ${step.block.slot}`
      : `${step.kind} ${step.slot}`,
  );

describe('the Yellowstone source', () => {
  it('gives the blocks of a stream, with its token and start sent along', async () => {
    const seen: { token: unknown; fromSlot: unknown }[] = [];
    const url = await serve(({ metadata, request, send }) => {
      seen.push({ token: metadata.get('x-token')[0], fromSlot: request.fromSlot });
      for (const slot of [50, 51, 53]) send(blockUpdate(slot, slot === 53 ? 51 : slot - 1));
    });
    expect(await take(url, 3, 50, { token: 'secret' })).toEqual([50, 51, 53]);
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

  it('goes on at the newest block when the oldest slot moves on faster than it can ask', async () => {
    const starts: (string | undefined)[] = [];
    const url = await serve(({ request, send, end }, connection) => {
      starts.push(request.fromSlot);
      const oldest = 500 + 10 * connection;
      if (request.fromSlot === undefined) send(blockUpdate(600));
      else end(status.OUT_OF_RANGE, `broadcast from ${request.fromSlot} is not available, last available: ${oldest}`);
    });
    expect(await take(url, 1, 10)).toEqual([600]);
    expect(starts).toEqual(['10', '510', undefined]);
  });

  it('fails for good when the endpoint refuses the token or the request, and only then', async () => {
    for (const code of [
      status.UNAUTHENTICATED,
      status.PERMISSION_DENIED,
      status.UNIMPLEMENTED,
      status.INVALID_ARGUMENT,
    ]) {
      const url = await serve(({ end }) => end(code, 'no'));
      await expect(take(url, 1)).rejects.toMatchObject({ code });
    }
    const passing = [
      status.UNAVAILABLE,
      status.RESOURCE_EXHAUSTED,
      status.INTERNAL,
      status.DEADLINE_EXCEEDED,
      status.ABORTED,
    ];
    const url = await serve(({ end, send }, connection) => {
      const code = passing[connection - 1];
      if (code === undefined) send(blockUpdate(1));
      else end(code, 'not now');
    });
    expect(await take(url, 1)).toEqual([1]);
  });

  it('goes on at the newest block of an endpoint that replays nothing', async () => {
    const starts: (string | undefined)[] = [];
    const url = await serve(({ request, send, end }, connection) => {
      starts.push(request.fromSlot);
      if (request.fromSlot !== undefined) end(status.INVALID_ARGUMENT, 'from_slot is not supported');
      else {
        send(blockUpdate(connection * 100));
        send(blockUpdate(connection * 100 + 1));
        setTimeout(() => end(status.UNAVAILABLE), 20);
      }
    });
    expect(await take(url, 4, 10)).toEqual([200, 201, 300, 301]);
    expect(starts).toEqual(['10', undefined, undefined]);
  });

  it('leaves out an update that is malformed', async () => {
    const url = await serve(({ send }) => {
      send(blockUpdate(1));
      send(blockUpdate(2).subarray(0, 12));
      for (let slot = 3; slot < 30; slot += 1) send(blockUpdate(slot));
    });
    expect((await take(url, 4, 1)).slice(0, 2)).toEqual([1, 3]);
  });

  it('waits longer from failure to failure, with a part left to chance, until blocks come again', async () => {
    const waits: number[] = [];
    const url = await serve(({ send, end }, connection) => {
      if (connection === 5) send(blockUpdate(1));
      if (connection === 7) send(blockUpdate(2));
      else setTimeout(() => end(status.UNAVAILABLE), 20);
    });
    const clock = {
      ...systemClock,
      sleep: (ms: number) => {
        waits.push(ms);
        return systemClock.sleep(1);
      },
    };
    await take(url, 2, 1, { clock, random: () => 0.5 });
    // The last one is the wait that ends when the reader stops.
    expect(waits.slice(0, 6)).toEqual([187.5, 375, 750, 1_500, 187.5, 375]);
  });
});

describe('a server that proves who it is', () => {
  const identity = { key: readFileSync(`${TLS}server.key`), certificate: readFileSync(`${TLS}server.crt`) };

  it('is read when the authority is ours', async () => {
    const url = await serve(({ send }) => send(blockUpdate(1)), identity);
    expect(url).toMatch(/^https:/);
    expect(await take(url, 1, 1, { caFile: `${TLS}server.crt` })).toEqual([1]);
  });

  it('is refused when the authority is unknown, and an authority that cannot be read ends it', async () => {
    let connections = 0;
    const url = await serve(() => {
      connections += 1;
    }, identity);
    const warnings: unknown[] = [];
    const controller = new AbortController();
    const log = {
      ...silentLogger,
      warn: (fields: object) => {
        warnings.push(fields);
        controller.abort();
      },
    };
    const { signal } = controller;
    for await (const step of sourceOf(url, { log }).steps({ fromSlot: 1, signal })) throw new Error(step.kind);
    expect(warnings).toEqual([{ status: status.UNAVAILABLE, error: expect.stringMatching(/certificate/) }]);
    expect(connections).toBe(0);
    await expect(take(url, 1, 1, { caFile: `${TLS}nothing.crt` })).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('back-pressure', () => {
  it('stops the server when so many bytes wait, and loses nothing', async () => {
    const BLOCKS = 40;
    const PADDING_BYTES = 4 * 1024 * 1024;
    // Field 1000, bytes: readers skip it, but it fills the stream.
    const padding = Buffer.concat([Buffer.from([0xc2, 0x3e, 0x80, 0x80, 0x80, 0x02]), new Uint8Array(PADDING_BYTES)]);
    let sent = 0;
    const url = await serve(async ({ send, drained }) => {
      for (let slot = 1; slot <= BLOCKS; slot += 1) {
        if (!send(Buffer.concat([blockUpdate(slot), padding]))) await drained();
        sent = slot;
      }
    });
    const source = sourceOf(url);
    const slots: number[] = [];
    const controller = new AbortController();
    for await (const step of source.steps({ fromSlot: 1, signal: controller.signal })) {
      if (step.kind !== 'block') continue;
      if (slots.length === 0) {
        await untilStill(() => sent);
        // One was taken, and the one that fills the buffer may go beyond its bound.
        const most = Math.ceil(MAX_BUFFERED_BYTES / PADDING_BYTES) + 1;
        // What the window takes, and what the server's own stream holds: sixteen messages.
        expect(sent).toBeLessThanOrEqual(most + WINDOW_BYTES / PADDING_BYTES + 17);
        expect(sent).toBeLessThan(BLOCKS);
      }
      slots.push(step.block.slot);
      if (slots.length === BLOCKS) controller.abort();
    }
    expect(slots).toEqual(Array.from({ length: BLOCKS }, (_, place) => place + 1));
  }, 30_000);
});

async function untilStill(value: () => number): Promise<void> {
  for (let last = -1; last !== value(); ) {
    last = value();
    await systemClock.sleep(300);
  }
}

describe('processed blocks', () => {
  it('are given as they come, confirmed as statuses tell, and taken back when their slot dies', async () => {
    const requests: unknown[] = [];
    const url = await serve(({ request, send }) => {
      requests.push(request.commitment);
      for (const update of [
        blockUpdate(10),
        blockUpdate(11),
        blockUpdate(12),
        slotUpdate(10, SlotStatus.SLOT_CONFIRMED, 9),
        slotUpdate(12, SlotStatus.SLOT_DEAD, 11),
        blockUpdate(13, 11),
        slotUpdate(13, SlotStatus.SLOT_CONFIRMED, 11),
        slotUpdate(10, SlotStatus.SLOT_FINALIZED, 9),
        blockUpdate(14),
      ]) {
        send(update);
      }
    });
    const source = sourceOf(url, { commitment: 'processed' });
    const steps = await follow(source, 10, ({ length }) => length === 8);
    expect(brief(steps)).toEqual([
      'unconfirmed 10',
      'unconfirmed 11',
      'unconfirmed 12',
      'confirmed 10',
      'withdrawn 12',
      'unconfirmed 13',
      'confirmed 13',
      'unconfirmed 14',
    ]);
    expect(requests).toEqual([0]);
    expect(source.slots?.()).toMatchObject({ confirmedSlot: 13, finalizedSlot: 10, dead: 1, withdrawn: 1 });
  });

  it('are neither doubled nor left standing when their fork lost while the stream was broken', async () => {
    const starts: (string | undefined)[] = [];
    const url = await serve(({ request, send, end }, connection) => {
      starts.push(request.fromSlot);
      if (connection === 1) {
        for (const slot of [10, 11, 12, 13]) send(blockUpdate(slot));
        send(slotUpdate(10, SlotStatus.SLOT_CONFIRMED, 9));
        setTimeout(() => end(status.UNAVAILABLE), 50);
      } else {
        for (const update of [blockUpdate(11), blockUpdate(12), blockUpdate(14, 12), blockUpdate(15)]) send(update);
        send(slotUpdate(14, SlotStatus.SLOT_CONFIRMED, 12));
      }
    });
    const steps = await follow(sourceOf(url, { commitment: 'processed' }), 10, ({ length }) => length === 9);
    expect(brief(steps).slice(5)).toEqual(['confirmed 12', 'withdrawn 13', 'block 14', 'unconfirmed 15']);
    expect(starts).toEqual(['10', '11']);
  });

  it('end in the chain, whatever happens on it and wherever the stream breaks', async () => {
    for (let seed = 0; seed < 12; seed += 1) {
      const { events, tree } = makeSlotHistory({ seed, commitment: 'processed', lost: 0 });
      const chain = tree.filter(({ canonical }) => canonical).map(({ block }) => block.slot);
      let told = 0;
      const url = await serve(({ request, send, end }, connection) => {
        // What was said before the break about slots that are asked for again is said again.
        for (const event of events.slice(0, told))
          if (eventSlot(event) >= Number(request.fromSlot)) send(updateOf(event));
        const until = connection < 6 ? told + 40 + seed : events.length;
        for (const event of events.slice(told, until)) send(updateOf(event));
        told = Math.min(until, events.length);
        if (told < events.length) setTimeout(() => end(status.UNAVAILABLE), 20);
      });
      const follower = new ChainFollower();
      const last = chain.at(-1)!;
      await follow(sourceOf(url, { commitment: 'processed' }), FIRST_SLOT, (steps) => {
        follower.follow(steps.at(-1)!);
        return follower.confirmed.at(-1)?.slot === last;
      });
      expect(
        follower.confirmed.map(({ slot }) => slot),
        `seed ${seed}`,
      ).toEqual(chain);
    }
  });
});

const STATUSES: Readonly<Record<string, SlotStatus>> = {
  processed: SlotStatus.SLOT_PROCESSED,
  confirmed: SlotStatus.SLOT_CONFIRMED,
  finalized: SlotStatus.SLOT_FINALIZED,
  created_bank: SlotStatus.SLOT_CREATED_BANK,
  dead: SlotStatus.SLOT_DEAD,
};

function updateOf(event: SlotEvent): Uint8Array {
  if (event.kind === 'block') return blockUpdate(event.block.slot, event.block.parentSlot, event.block.blockhash);
  if (event.kind === 'status') return slotUpdate(event.slot, STATUSES[event.status]!, event.parent);
  throw new Error('a server says this by refusing');
}
