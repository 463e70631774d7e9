import { describe, expect, it } from 'vitest';
import { createHastyClock } from '../../../test/support/hasty-clock.ts';
import type { DiskGuard, DiskState } from '../../store/clickhouse/write/disk-guard.ts';
import { createDiskPause } from './disk-pause.ts';

describe('a nearly full disk', () => {
  it('holds ingest back with an alarm, until there is room again', async () => {
    const looks: DiskState[] = [true, true, false].map((low) => ({ freeBytes: low ? 5 * 1024 ** 2 : undefined, low }));
    let state: DiskState = { freeBytes: undefined, low: false };
    const guard: DiskGuard = {
      async look() {
        state = looks.shift() ?? state;
        return state;
      },
      get state() {
        return state;
      },
    };
    const alarms: (string | undefined)[] = [];
    const stats = { alarm: (_code: string, message: string | undefined) => void alarms.push(message) };
    const pause = createDiskPause({ guard, stats, clock: createHastyClock() });
    await pause.room(new AbortController().signal);
    expect(alarms).toEqual([expect.stringContaining('5 MiB free'), expect.stringContaining('5 MiB free'), undefined]);
    expect(pause.low).toBe(false);
  });

  it('is noticed by who writes while no block comes', async () => {
    let state: DiskState = { freeBytes: undefined, low: false };
    const guard: DiskGuard = {
      async look() {
        state = { freeBytes: 0, low: true };
        return state;
      },
      get state() {
        return state;
      },
    };
    const alarms: (string | undefined)[] = [];
    const stats = { alarm: (_code: string, message: string | undefined) => void alarms.push(message) };
    const clock = createHastyClock();
    const pause = createDiskPause({ guard, stats, clock });
    void pause.low;
    await clock.sleep(1);
    expect(pause.low).toBe(true);
    expect(alarms).toEqual([expect.stringContaining('nearly full')]);
  });

  it('does not hold up a stop', async () => {
    const guard: DiskGuard = { look: async () => ({ freeBytes: 0, low: true }), state: { freeBytes: 0, low: true } };
    const stop = new AbortController();
    stop.abort();
    await createDiskPause({ guard, stats: { alarm() {} }, clock: createHastyClock() }).room(stop.signal);
  });
});
