import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Bytes of the length before each block: u32, little endian. */
const LENGTH_BYTES = 4;
/** Longer ones are damage, not blocks: mainnet's largest stay far below. */
const MAX_BLOCK_BYTES = 64 * 1024 * 1024;

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

/** Reads the blocks of a file in order. Throws when the file ends inside one. */
export async function* readBlockFile(path: string): AsyncGenerator<Uint8Array> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    rest = rest.length === 0 ? (chunk as Buffer) : Buffer.concat([rest, chunk as Buffer]);
    let at = 0;
    while (rest.length - at >= LENGTH_BYTES) {
      const length = rest.readUInt32LE(at);
      if (length > MAX_BLOCK_BYTES) throw new RangeError(`${path}: a block of ${length} bytes`);
      if (rest.length - at < LENGTH_BYTES + length) break;
      yield new Uint8Array(rest.subarray(at + LENGTH_BYTES, at + LENGTH_BYTES + length));
      at += LENGTH_BYTES + length;
    }
    rest = rest.subarray(at);
  }
  if (rest.length > 0) throw new RangeError(`${path}: ends inside a block`);
}
