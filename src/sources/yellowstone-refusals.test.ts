import { describe, expect, it } from 'vitest';
import {
  blockUpdate,
  pingUpdate,
  SlotStatus,
  type Subscription,
  slotUpdate,
  status,
} from '../../test/support/geyser-server.ts';
import { follow, serve, sourceOf, take } from '../../test/support/yellowstone.ts';
import { silentLogger } from '../kernel/log.ts';

/** Answers of servers to a start that they do not replay, without naming one that they do. */
const REFUSALS: readonly (readonly [status, string])[] = [
  [status.INVALID_ARGUMENT, 'blocks are not possible to replay'],
  [status.INVALID_ARGUMENT, 'failed to get replay position for slot 10'],
  [status.INVALID_ARGUMENT, 'replay `from_slot` available only for `processed` commitment'],
  [status.INVALID_ARGUMENT, 'from_slot is not supported'],
  [status.DATA_LOSS, 'replay from 10 is not available'],
  [status.INTERNAL, 'failed to get replay response'],
  [status.INTERNAL, 'replay from 10 is not available'],
  [status.PERMISSION_DENIED, 'not in your plan'],
  [status.OUT_OF_RANGE, ''],
  [status.UNKNOWN, 'oops'],
];

/** The same that names the oldest slot that is there, 500. */
const NAMED: readonly (readonly [status, string])[] = [
  [status.OUT_OF_RANGE, 'broadcast from 10 is not available, last available: 500'],
  [status.INVALID_ARGUMENT, 'failed to get replay position for slot 10; first available: 500'],
  [status.INVALID_ARGUMENT, 'first available slot: 500'],
  [status.DATA_LOSS, 'slot 10 is gone, the oldest slot in store is 500 and the newest 900'],
  [status.INTERNAL, 'requested 10, stored [500, 900]'],
  [status.UNAVAILABLE, 'replay of 10: oldest available 500'],
];

/** Serves `refuse` to whoever names a slot that is older than `oldest`, and blocks from 600 on to who names none. */
async function replaying(oldest: number, refuse: (subscription: Subscription) => void) {
  const starts: (number | undefined)[] = [];
  const url = await serve((subscription) => {
    const { request, send } = subscription;
    const start = request.fromSlot === undefined ? undefined : Number(request.fromSlot);
    starts.push(start);
    if (start !== undefined && start < oldest) return refuse(subscription);
    for (let slot = start ?? 600; slot < (start ?? 600) + 3; slot += 1) send(blockUpdate(slot));
  });
  return { url, starts };
}

/** Slots of `slots never came`, as the log tells. */
function holes() {
  const found: string[] = [];
  const log = {
    ...silentLogger,
    warn(fields: Readonly<Record<string, unknown>>) {
      if ('to_slot' in fields) found.push(`${fields.from_slot}-${fields.to_slot}`);
    },
  };
  return { log, found };
}

describe('a start that the server refuses', () => {
  it.each(REFUSALS)('is left for its newest block, at a start as on a reconnect (%s, %s)', async (code, details) => {
    const { url, starts } = await replaying(Number.POSITIVE_INFINITY, ({ end }) => end(code, details));
    const { log, found } = holes();
    expect(await take(url, 2, 10, { log })).toEqual([600, 601]);
    expect(starts).toEqual([10, undefined]);
    expect(found).toEqual(['10-599']);

    const { url: broken, starts: again } = await reconnecting(({ end }) => end(code, details));
    const later = holes();
    expect(await take(broken, 5, 10, { log: later.log })).toEqual([10, 11, 12, 600, 601]);
    expect(again).toEqual(['10', '13', undefined]);
    expect(later.found).toEqual(['13-599']);
  });

  it.each(NAMED)('is left for the oldest that it names, in whatever words (%s, %s)', async (code, details) => {
    const { url, starts } = await replaying(500, ({ end }) => end(code, details));
    const { log, found } = holes();
    expect(await take(url, 2, 10, { log })).toEqual([500, 501]);
    expect(starts).toEqual([10, 500]);
    expect(found).toEqual(['10-499']);
  });

  it('is left for the newest block when the server ends the stream without a word', async () => {
    const { url, starts } = await replaying(Number.POSITIVE_INFINITY, ({ end }) => end());
    expect(await take(url, 1, 10)).toEqual([600]);
    expect(starts).toEqual([10, undefined]);
  });

  it('is left for the newest block when it is taken and slots move without a block', async () => {
    const { url, starts } = await replaying(Number.POSITIVE_INFINITY, moveWithoutBlocks);
    expect(await take(url, 1, 10, { blocklessMs: 100 })).toEqual([600]);
    expect(starts).toEqual([10, undefined]);
  });

  it('is asked for again when the server is away or wants fewer connections', async () => {
    const starts: (string | undefined)[] = [];
    const url = await serve(({ request, send, end }, connection) => {
      starts.push(request.fromSlot);
      if (connection === 1) end(status.UNAVAILABLE, 'connect ECONNREFUSED 127.0.0.1:10000');
      else if (connection === 2) end(status.RESOURCE_EXHAUSTED, 'too many connections');
      else send(blockUpdate(10));
    });
    expect(await take(url, 1, 10)).toEqual([10]);
    expect(starts).toEqual(['10', '10', '10']);
  });

  it('is asked for again when the newest block is refused as well: the slot was not the reason', async () => {
    const starts: (string | undefined)[] = [];
    const url = await serve(({ request, send, end }, connection) => {
      starts.push(request.fromSlot);
      if (connection < 3) end(status.INTERNAL, 'a bad moment');
      else for (let slot = 10; slot < 12; slot += 1) send(blockUpdate(slot));
    });
    const { log, found } = holes();
    expect(await take(url, 2, 10, { log })).toEqual([10, 11]);
    expect(starts).toEqual(['10', undefined, '10']);
    expect(found).toEqual([]);
  });

  it('is no hole where the newest block stands on what is there', async () => {
    const url = await serve(({ request, send, end }, connection) => {
      if (connection === 1) for (const slot of [10, 11]) send(blockUpdate(slot));
      if (connection === 1) setTimeout(() => end(status.UNAVAILABLE), 20);
      else if (request.fromSlot === undefined) send(blockUpdate(15, 11));
      else end(status.INVALID_ARGUMENT, 'failed to get replay position for slot 12');
    });
    const { log, found } = holes();
    expect(await take(url, 3, 10, { log })).toEqual([10, 11, 15]);
    expect(found).toEqual([]);
  });

  it('does not hide that the endpoint refuses us, from the first call on', async () => {
    for (const code of [status.UNAUTHENTICATED, status.PERMISSION_DENIED, status.UNIMPLEMENTED]) {
      const url = await serve(({ end }) => end(code, 'no'));
      await expect(take(url, 1, 10)).rejects.toMatchObject({ code });
    }
  });
});

describe('one bad thing on a stream', () => {
  it('that gives statuses and pings and no block any more: it is opened again', async () => {
    const starts: (string | undefined)[] = [];
    const url = await serve((subscription, connection) => {
      const first = Number(subscription.request.fromSlot);
      starts.push(subscription.request.fromSlot);
      subscription.send(blockUpdate(first));
      if (connection < 3) moveWithoutBlocks(subscription);
    });
    expect(await take(url, 3, 10, { blocklessMs: 100 })).toEqual([10, 11, 12]);
    expect(starts).toEqual(['10', '11', '12']);
  });

  it('a refusal after a good call is ridden out, and told while it lasts', async () => {
    const codes = [status.UNAUTHENTICATED, status.UNIMPLEMENTED, status.INVALID_ARGUMENT, status.PERMISSION_DENIED];
    let served = 0;
    const told: (string | undefined)[] = [];
    const url = await serve(({ request, send, end }) => {
      served += 1;
      if (served > 1) told.push(source.refusal?.());
      const code = codes[Math.floor((served - 2) / 2)];
      if (served > 1 && code !== undefined) return end(code, 'Received an HTTP status');
      const first = Number(request.fromSlot);
      send(blockUpdate(first));
      if (served === 1) setTimeout(() => end(status.UNAVAILABLE), 20);
    });
    const source = sourceOf(url);
    const steps = await follow(source, 10, ({ length }) => length === 2);
    expect(steps).toMatchObject([{ block: { slot: 10 } }, { block: { slot: 11 } }]);
    expect(told.at(0)).toBeUndefined();
    expect(told.at(-1)).toMatch(/refuses us now \(PERMISSION_DENIED\)/);
    expect(source.refusal?.()).toBeUndefined();
  });

  it.each(['confirmed', 'processed'] as const)(
    'a slot over the limit of sizes is left out, and no other (%s)',
    async (commitment) => {
      const url = await serve(({ request, send, end }) => {
        const first = Number(request.fromSlot ?? 600);
        for (let slot = first; slot < 12; slot += 1) send(blockUpdate(slot));
        if (first <= 12) {
          const code = commitment === 'confirmed' ? status.RESOURCE_EXHAUSTED : status.OUT_OF_RANGE;
          const [why] = [`Error, encoded message length too large: found 70000000 bytes, the limit is: 67108864 bytes`];
          setTimeout(() => end(code, why), 20);
          return;
        }
        for (let slot = 13; slot < 40; slot += 1) {
          send(blockUpdate(slot));
          send(slotUpdate(slot, SlotStatus.SLOT_CONFIRMED, slot - 1));
        }
      });
      const source = sourceOf(url, { commitment });
      const confirmed = new Set<number>();
      await follow(source, 10, (steps) => {
        const step = steps.at(-1)!;
        if (step.kind === 'block' && step.confirmed) confirmed.add(step.block.slot);
        if (step.kind === 'confirmed') confirmed.add(step.slot);
        return confirmed.has(20);
      });
      if (commitment === 'confirmed') expect([...confirmed].slice(0, 4)).toEqual([10, 11, 13, 14]);
      else expect([...confirmed]).toContain(13);
      expect(confirmed.has(12)).toBe(false);
    },
  );

  it('a slot that ends the stream each time, for want of resources and no word of sizes, is left out too', async () => {
    const url = await serve(({ request, send, end }) => {
      const first = Number(request.fromSlot);
      for (let slot = first; slot < 12; slot += 1) send(blockUpdate(slot));
      send(slotUpdate(12, SlotStatus.SLOT_CONFIRMED, 11));
      if (first <= 12) setTimeout(() => end(status.RESOURCE_EXHAUSTED, 'out of memory'), 20);
      else send(blockUpdate(13));
    });
    expect(await take(url, 3, 10)).toEqual([10, 11, 13]);
  });
});

/** Gives 10 to 12 and breaks; then `refuse` whoever names a slot, and gives blocks from 600 on to who names none. */
async function reconnecting(refuse: (subscription: Subscription) => void) {
  const starts: (string | undefined)[] = [];
  const url = await serve((subscription, connection) => {
    const { request, send, end } = subscription;
    starts.push(request.fromSlot);
    if (connection === 1) {
      for (const slot of [10, 11, 12]) send(blockUpdate(slot));
      setTimeout(() => end(status.UNAVAILABLE, 'going away'), 20);
    } else if (request.fromSlot === undefined) for (const slot of [600, 601]) send(blockUpdate(slot));
    else refuse(subscription);
  });
  return { url, starts };
}

function moveWithoutBlocks({ send, closed }: Subscription): void {
  let slot = 20_000;
  const timer = setInterval(() => {
    if (closed()) return clearInterval(timer);
    slot += 1;
    send(slotUpdate(slot, SlotStatus.SLOT_CONFIRMED, slot - 1));
    send(pingUpdate());
  }, 5);
}
