import { describe, expect, it } from 'vitest';
import { blockUpdate, pingUpdate, status } from '../../test/support/geyser-server.ts';
import { serve, take } from '../../test/support/yellowstone.ts';
import { systemClock } from '../kernel/clock.ts';

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

  it('takes a stream that is silent for broken, and goes on where it was', async () => {
    const starts: (string | undefined)[] = [];
    const url = await serve(({ request, send }) => {
      starts.push(request.fromSlot);
      // One block, and nothing more, ever.
      send(blockUpdate(Number(request.fromSlot)));
    });
    expect(await take(url, 3, 10, { silenceMs: 500 })).toEqual([10, 11, 12]);
    expect(new Set(starts)).toEqual(new Set(['10', '11', '12']));
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
