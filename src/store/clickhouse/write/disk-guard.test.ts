import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestStore, type TestStore } from '../../../../test/support/store.ts';
import { systemClock } from '../../../kernel/clock.ts';
import { silentLogger } from '../../../kernel/log.ts';
import type { StoreClient } from '../client.ts';
import { createDiskGuard, LOOK_EVERY_MS, readByteSize } from './disk-guard.ts';

/** A disk whose free bytes a test sets, and a clock that only a test moves. */
function disk(minFreeBytes: number) {
  const seen = { free: [0] as readonly number[] | Error, elapsed: 0, looks: 0, warnings: 0 };
  const guard = createDiskGuard({
    dataDir: 'nowhere',
    client: undefined,
    minFreeBytes,
    clock: { ...systemClock, elapsed: () => seen.elapsed },
    log: {
      ...silentLogger,
      warn() {
        seen.warnings += 1;
      },
    },
    async readFree() {
      seen.looks += 1;
      if (seen.free instanceof Error) throw seen.free;
      return seen.free;
    },
  });
  const look = (free: readonly number[] | Error) => {
    seen.free = free;
    seen.elapsed += LOOK_EVERY_MS;
    return guard.look();
  };
  return { guard, seen, look };
}

describe('the disk guard', () => {
  it('calls a disk low below its bound, and good again only with a quarter more', async () => {
    const { look } = disk(1_000);
    expect(await look([1_000])).toEqual({ freeBytes: 1_000, low: false });
    expect(await look([999])).toEqual({ freeBytes: 999, low: true });
    expect(await look([1_249])).toEqual({ freeBytes: 1_249, low: true });
    expect(await look([1_250])).toEqual({ freeBytes: 1_250, low: false });
    expect(await look([1_000])).toEqual({ freeBytes: 1_000, low: false });
  });

  it('goes by the fullest of the disks, and never with a bound of 0', async () => {
    expect(await disk(1_000).look([5_000, 10, 9_000])).toEqual({ freeBytes: 10, low: true });
    expect(await disk(0).look([0])).toEqual({ freeBytes: 0, low: false });
  });

  it('looks once in a while, however often it is asked', async () => {
    const { guard, seen, look } = disk(1_000);
    await look([500]);
    seen.free = [5_000];
    seen.elapsed += LOOK_EVERY_MS - 1;
    expect((await guard.look()).low).toBe(true);
    expect(seen.looks).toBe(1);
    seen.elapsed += 1;
    await Promise.all([guard.look(), guard.look()]);
    expect(seen.looks).toBe(2);
    expect(guard.state.low).toBe(false);
  });

  it('keeps what it knew while a disk does not answer', async () => {
    const { look, seen } = disk(1_000);
    expect(await look(new Error('gone'))).toEqual({ freeBytes: undefined, low: false });
    await look([1]);
    expect(await look(new Error('gone'))).toEqual({ freeBytes: 1, low: true });
    await look(new Error('gone'));
    expect(seen.warnings).toBe(2);
  });

  it('reads sizes in powers of 1,024 and nothing else', () => {
    expect([readByteSize('0'), readByteSize('500M'), readByteSize('2G'), readByteSize('1T')]).toEqual([
      0,
      500 * 1024 ** 2,
      2 * 1024 ** 3,
      1024 ** 4,
    ]);
    expect(() => readByteSize('2 GB')).toThrow(RangeError);
  });
});

describe('the disk guard of real disks', () => {
  let test: TestStore;
  let dataDir: string;
  beforeAll(async () => {
    test = await openTestStore();
    dataDir = await mkdtemp(join(tmpdir(), 'mintscope-disk-'));
  });
  afterAll(async () => {
    await test.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  it.each(['of the folder', 'of a server'])('sees the free bytes %s', async (where) => {
    const client = where === 'of a server' ? test.store.client : undefined;
    const options = { dataDir, client, clock: systemClock, log: silentLogger };
    const { freeBytes = 0, low } = await createDiskGuard({ ...options, minFreeBytes: 1 }).look();
    expect(freeBytes).toBeGreaterThan(1024 ** 2);
    expect(low).toBe(false);
    const all = await createDiskGuard({ ...options, minFreeBytes: Number.MAX_SAFE_INTEGER }).look();
    expect(all.low).toBe(true);
  });

  it('sees those of the folder where a server does not let it ask', async () => {
    const refusal = Object.assign(new Error('Not enough privileges'), { code: '497' });
    const client = { exec: () => Promise.reject(refusal) } as unknown as StoreClient;
    const guard = createDiskGuard({ dataDir, client, clock: systemClock, log: silentLogger, minFreeBytes: 1 });
    expect((await guard.look()).freeBytes).toBeGreaterThan(1024 ** 2);
  });
});
