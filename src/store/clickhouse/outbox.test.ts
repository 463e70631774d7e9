import { mkdtemp, open, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../kernel/clock.ts';
import { createDescriptors } from '../../kernel/descriptors.ts';
import { silentLogger } from '../../kernel/log.ts';
import { type Flush, newFlushId, openOutbox } from './outbox.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'mintscope-outbox-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

function flush(first: number): Flush {
  return {
    id: newFlushId(),
    closes: [{ first, last: first + 4 }],
    partialSlots: [7],
    tables: [
      { table: 'swaps', columns: ['mint', 'slot'], rows: 2, bytes: new Uint8Array([1, 2, 3]) },
      { table: 'blocks', columns: ['slot'], rows: 1, bytes: new Uint8Array([]) },
      { table: 'burns', columns: ['slot'], rows: 1, bytes: new Uint8Array([9]) },
    ],
  };
}

/** Every file is refused so often before it is opened, the folder among them. */
function scarceFiles(refusals: number) {
  const tries = new Map<string, number>();
  const openFile: typeof open = (path, ...rest) => {
    const before = tries.get(String(path)) ?? 0;
    tries.set(String(path), before + 1);
    const error = Object.assign(new Error('EMFILE: too many open files, open'), { code: 'EMFILE' });
    return before % (refusals + 1) < refusals ? Promise.reject(error) : open(path, ...rest);
  };
  return { tries, openFile };
}

describe('the outbox', () => {
  it('waits for a descriptor where it opens something, and writes a flush once', async () => {
    const clock: Clock = { ...systemClock, sleep: () => Promise.resolve() };
    const descriptors = createDescriptors({ clock, log: silentLogger });
    const { tries, openFile } = scarceFiles(5);
    const outbox = await openOutbox(dir, { descriptors, openFile });
    const written = flush(1);
    const entry = await outbox.write(written);
    expect((await outbox.read(entry)).id).toBe(written.id);
    expect([...tries.values()]).toEqual([6, 6, 6]);
    expect(await readdir(dir)).toHaveLength(1);
  });

  it('stops waiting for a descriptor when the writer is closed', async () => {
    const descriptors = createDescriptors({ clock: systemClock, log: silentLogger });
    const { openFile } = scarceFiles(Number.POSITIVE_INFINITY);
    const outbox = await openOutbox(dir, { descriptors, openFile });
    const stop = new AbortController();
    const refused = expect(outbox.write(flush(1), stop.signal)).rejects.toMatchObject({ code: 'EMFILE' });
    stop.abort();
    await refused;
  });

  it('gives back, to a later process, the very flushes that were written, oldest first', async () => {
    const written = [flush(10), flush(20), flush(30)];
    const outbox = await openOutbox(dir);
    const entries = [];
    for (const each of written) entries.push(await outbox.write(each));
    await outbox.remove(entries[1]!);

    const later = await openOutbox(dir);
    expect(later.leftovers).toEqual([entries[0], entries[2]]);
    const read = await Promise.all(later.leftovers.map((entry) => later.read(entry)));
    expect(read.map(({ id }) => id)).toEqual([written[0]!.id, written[2]!.id]);
    expect(read[0]!.tables.map((table) => [...table.bytes])).toEqual([[1, 2, 3], [], [9]]);
    expect(read[0]).toMatchObject({ closes: written[0]!.closes, partialSlots: [7] });
  });

  it('goes on behind the newest file it found', async () => {
    const first = await (await openOutbox(dir)).write(flush(1));
    const second = await (await openOutbox(dir)).write(flush(2));
    expect(second.path > first.path).toBe(true);
  });

  it('forgets a file whose writing was cut off: nobody was told that it is safe', async () => {
    await writeFile(join(dir, '000000000001.flush.tmp'), 'half');
    expect((await openOutbox(dir)).leftovers).toEqual([]);
    expect(await readdir(dir)).toEqual([]);
  });

  it('refuses a file that is not whole instead of inserting half of it', async () => {
    const outbox = await openOutbox(dir);
    const entry = await outbox.write(flush(1));
    await truncate(entry.path, entry.bytes - 1);
    await expect(outbox.read(entry)).rejects.toMatchObject({ code: 'outbox_damaged' });
    await writeFile(entry.path, 'something else altogether');
    await expect(outbox.read(entry)).rejects.toMatchObject({ code: 'outbox_damaged' });
  });
});
