import { createWriteStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Bytes of the length before each block: u32, little endian. */
const LENGTH_BYTES = 4;
/** Longer ones are damage, not blocks: mainnet's largest stay far below. */
const MAX_BLOCK_BYTES = 64 * 1024 * 1024;

/** Opens a file for reading. */
export type OpenFile = (path: string) => Promise<FileHandle>;

/** Writes encoded blocks to a file, so that whoever plays it never pays for making them. */
export async function writeBlockFile(
  path: string,
  blocks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> {
  await pipeline(Readable.from(frames(blocks), { objectMode: false }), createWriteStream(path));
}

async function* frames(blocks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const block of blocks) {
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32LE(block.length);
    yield length;
    yield block;
  }
}

/**
 * Reads the blocks of a file in order, one ahead of who asks, each into memory
 * of its own: whoever keeps a block keeps no other, and nothing is copied.
 * Throws when the file ends inside one.
 */
export async function* readBlockFile(path: string, openFile: OpenFile = open): AsyncGenerator<Uint8Array> {
  const file = await openFile(path);
  let next: Promise<Uint8Array | undefined> | undefined;
  try {
    const read = createBlockReader(file, path);
    next = read();
    for (let block = await next; block !== undefined; block = await next) {
      next = read();
      // Its failure is met when it is its turn, or never.
      next.catch(() => {});
      yield block;
    }
  } finally {
    await next?.catch(() => {});
    await file.close();
  }
}

/** Each call reads the block behind the one before; undefined at the end. */
function createBlockReader(file: FileHandle, path: string): () => Promise<Uint8Array | undefined> {
  const header = Buffer.alloc(LENGTH_BYTES);
  let at = 0;
  return async () => {
    const got = await fill(file, header, at);
    if (got === 0) return undefined;
    if (got < LENGTH_BYTES) throw new RangeError(`${path}: ends inside a block`);
    const length = header.readUInt32LE(0);
    if (length > MAX_BLOCK_BYTES) throw new RangeError(`${path}: a block of ${length} bytes`);
    const block = new Uint8Array(length);
    if ((await fill(file, block, at + LENGTH_BYTES)) < length) throw new RangeError(`${path}: ends inside a block`);
    at += LENGTH_BYTES + length;
    return block;
  };
}

/** Reads from `position` on until `bytes` is full or the file ends; returns how many there were. */
async function fill(file: FileHandle, bytes: Uint8Array, position: number): Promise<number> {
  let got = 0;
  while (got < bytes.length) {
    const { bytesRead } = await file.read(bytes, got, bytes.length - got, position + got);
    if (bytesRead === 0) break;
    got += bytesRead;
  }
  return got;
}
