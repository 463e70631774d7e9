import { mkdir, mkdtemp, open, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../../kernel/clock.ts';
import { createDescriptors } from '../../../kernel/descriptors.ts';
import { silentLogger } from '../../../kernel/log.ts';
import { encodeRows } from '../schema/row-codec.ts';
import { type DamagedFlush, type Flush, newFlushId, openOutbox } from './outbox.ts';

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
    const read = (await Promise.all(later.leftovers.map((entry) => later.read(entry)))) as Flush[];
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

  it('writes all of a flush where the disk takes only a part at a time', async () => {
    const openFile: typeof open = async (...which) => {
      const file = await open(...which);
      const write = file.write.bind(file) as (bytes: Uint8Array, from: number, length: number) => Promise<unknown>;
      const writeLess = (bytes: Uint8Array, from = 0) => write(bytes, from, Math.min(3, bytes.length - from));
      return Object.assign(file, { write: writeLess }) as typeof file;
    };
    const outbox = await openOutbox(dir, { openFile });
    const written = flush(1);
    expect(await outbox.read(await outbox.write(written))).toEqual({
      ...written,
      tables: written.tables.map((table) => ({ ...table, bytes: Buffer.from(table.bytes) })),
    });
  });
});

describe('a damaged flush in the outbox', () => {
  async function writeAndDamage(damage: (file: Buffer) => Uint8Array, written = flush(1)) {
    const outbox = await openOutbox(dir);
    const entry = await outbox.write(written);
    await writeFile(entry.path, damage(await readFile(entry.path)));
    return { outbox, entry, read: await outbox.read(entry) };
  }

  it('is told from the one that was written, wherever bits flip, an end is cut off, zeros or more bytes come', async () => {
    const place = fc.nat(9_999).map((part) => part / 10_000);
    const damage = fc.oneof(
      fc.record({ kind: fc.constant('flip'), place, more: fc.integer({ min: 1, max: 255 }) }),
      fc.record({ kind: fc.constant('cut'), place, more: fc.constant(0) }),
      fc.record({ kind: fc.constant('zeros'), place, more: fc.nat(400) }),
      fc.record({ kind: fc.constant('longer'), place, more: fc.integer({ min: 1, max: 40 }) }),
    );
    await fc.assert(
      fc.asyncProperty(damage, fc.uint8Array({ maxLength: 60 }), async ({ kind, place: at, more }, bytes) => {
        const written = { ...flush(1), tables: [{ table: 'swaps' as const, columns: ['mint'], rows: 1, bytes }] };
        let isSame = false;
        const { read } = await writeAndDamage((file) => {
          const from = Math.min(file.length - 1, Math.floor(at * file.length));
          let after = Buffer.from(file);
          if (kind === 'flip') after[from]! ^= more;
          else if (kind === 'cut') after = after.subarray(0, from);
          else if (kind === 'zeros') after.fill(0, from, Math.min(after.length, from + more));
          else after = Buffer.concat([after, Buffer.alloc(more)]);
          isSame = after.equals(file);
          return after;
        }, written);
        if (isSame) return;
        expect(read).toMatchObject({ id: written.id, reason: expect.any(String) });
      }),
      { numRuns: 200 },
    );
  });

  it('is set aside with its id and what of its slots can be read, and others are read on', async () => {
    const written = flush(40);
    const { outbox, read } = await writeAndDamage((file) => file.subarray(0, -1), written);
    const damaged = read as DamagedFlush;
    expect(damaged).toMatchObject({ id: written.id, slots: { closes: [{ first: 40, last: 44 }], partialSlots: [7] } });
    expect((await readdir(dir)).filter((name) => name.endsWith('.flush'))).toEqual([]);
    expect(damaged.path.startsWith(join(dir, 'damaged'))).toBe(true);
    expect((await stat(damaged.path)).size).toBeGreaterThan(0);
    const next = await outbox.write(flush(50));

    const later = await openOutbox(dir);
    expect(later.leftovers).toEqual([next]);
    expect(await later.countDamaged()).toBe(1);
  });

  it('has its id by its name when all of it is gone', async () => {
    const written = flush(40);
    for (const damage of [() => Buffer.alloc(0), (file: Buffer) => Buffer.alloc(file.length)]) {
      const { read } = await writeAndDamage(damage, written);
      expect(read).toMatchObject({ id: written.id, slots: undefined });
    }
  });

  it('is one whose header has its checksum and lies, or that another version wrote', async () => {
    const outbox = await openOutbox(dir);
    const swaps = { table: 'swaps', columns: ['mint'], rows: 1, length: 0, crc: 0 };
    const whole = { id: 'a', closes: [], partialSlots: [], tables: [swaps] };
    const lies = [
      null,
      [],
      { ...whole, id: 7 },
      { ...whole, closes: [{ first: 9, last: 3 }] },
      { ...whole, partialSlots: ['x'] },
      { ...whole, tables: undefined },
      ...[-1, 1.5, 2 ** 40, '1', null].map((length) => ({ ...whole, tables: [{ ...swaps, length }] })),
      {
        ...whole,
        tables: [
          { ...swaps, length: 4 },
          { ...swaps, length: -4 },
        ],
      },
      { ...whole, tables: [{ ...swaps, table: 'coverage' }] },
    ];
    const files = [...lies.map((lie) => fileOf(lie, true)), fileOf(whole, true, 'mintscope-flush-3\n')];
    files.push(...lies.map((lie) => fileOf(lie, false)));
    for (const [place, file] of files.entries()) {
      const path = join(dir, `${place}-b.flush`);
      await writeFile(path, file);
      expect(await outbox.read({ path, bytes: file.length })).toMatchObject({ reason: expect.any(String) });
    }
    expect(await outbox.countDamaged()).toBe(files.length);
  });

  it('is kept with some others, the newest of them', async () => {
    const outbox = await openOutbox(dir);
    for (let place = 0; place < 40; place++) {
      const path = join(dir, `${place}-id${place}.flush`);
      await writeFile(path, 'nothing');
      await utimes(path, 1_000 + place, 1_000 + place);
      await outbox.read({ path, bytes: 7 });
    }
    const kept = (await readdir(join(dir, 'damaged'))).map((name) => name.split('-id')[1]);
    expect(kept.sort()).toEqual(Array.from({ length: 32 }, (_, place) => `${place + 8}.flush`).sort());
  });

  it('is one that the disk does not give any more, or a folder', async () => {
    const entry = await (await openOutbox(dir)).write(flush(1));
    const openFile: typeof open = async (...which) => {
      const readFile = () => Promise.reject(Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' }));
      return Object.assign(await open(...which), { readFile }) as Awaited<ReturnType<typeof open>>;
    };
    const outbox = await openOutbox(dir, { openFile });
    expect(await outbox.read(entry)).toMatchObject({ reason: 'it cannot be read: EIO' });
    await mkdir(entry.path);
    expect(await (await openOutbox(dir)).read(entry)).toMatchObject({ reason: 'it cannot be read: EISDIR' });
  });

  it('ends the start with its name where it cannot be moved', async () => {
    await writeFile(join(dir, 'damaged'), 'in the way');
    await expect(writeAndDamage((file) => file.subarray(1))).rejects.toMatchObject({
      code: 'outbox_damaged',
      message: expect.stringContaining('.flush is damaged'),
    });
  });
});

describe('a flush that an earlier version left in the outbox', () => {
  const { bytes, rows } = encodeRows({ name: 'blocks', columns: { slot: 'u32' } }, [{ slot: 5 }, { slot: 6 }]);
  const blocks = { table: 'blocks', columns: ['slot'], rows, length: bytes.length };
  const header = { id: 'old', closes: [{ first: 5, last: 6 }], partialSlots: [], tables: [blocks] };

  async function readOld(file: Buffer): Promise<unknown> {
    const path = join(dir, '000000000001.flush');
    await writeFile(path, file);
    const outbox = await openOutbox(dir);
    return outbox.read(outbox.leftovers[0]!);
  }

  it('is read, also with columns that tables have no more', async () => {
    const { length: _, ...table } = blocks;
    const flush = { ...header, tables: [{ ...table, bytes: Buffer.from(bytes) }] };
    expect(await readOld(Buffer.concat([fileOf(header, false), bytes]))).toEqual(flush);
    const gone = { ...header, tables: [{ ...blocks, columns: ['gone'] }] };
    expect(await readOld(Buffer.concat([fileOf(gone, false), bytes]))).toMatchObject({ id: 'old' });
  });

  it('is damaged when its rows are not as many whole ones as it says', async () => {
    const more = { ...header, tables: [{ ...blocks, rows: 3 }] };
    const shorter = { ...header, tables: [{ ...blocks, length: 7 }] };
    for (const file of [
      Buffer.concat([fileOf(more, false), bytes]),
      Buffer.concat([fileOf(shorter, false), bytes.subarray(1)]),
      Buffer.concat([fileOf(header, false), bytes.subarray(1)]),
    ]) {
      expect(await readOld(file)).toMatchObject({
        id: 'old',
        slots: { closes: header.closes },
        reason: expect.stringMatching(/rows|bytes/),
      });
    }
  });
});

/** A file with this header, of today's format or of the one without checksums. */
function fileOf(header: unknown, isChecked: boolean, magic = `mintscope-flush-${isChecked ? 2 : 1}\n`): Buffer {
  const json = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  const crc = Buffer.alloc(isChecked ? 4 : 0);
  if (isChecked) crc.writeUInt32LE(crc32(json, crc32(length)));
  return Buffer.concat([Buffer.from(magic), length, crc, json]);
}
