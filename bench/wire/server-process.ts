import { BYTES, ProtobufCursor, tagOf, VARINT } from '../../src/chain/geyser/protobuf-cursor.ts';
import { readBlockFile } from '../../src/sources/block-file.ts';
import { startGeyserServer } from '../../test/support/geyser-server.ts';

/** As long as the simulator's own slots are, on the wire. */
const FIRST_SLOT = 460_000_000;
const UPDATE_BLOCK = tagOf(5, BYTES);
const BLOCK_SLOT = tagOf(1, VARINT);
const PARENT_SLOT = tagOf(7, VARINT);

/**
 * Sends the blocks of a file to whoever subscribes, as fast as they are taken,
 * over and over with slots that go on: readers drop a slot that comes again.
 * Tells its address first.
 */
const [path, inFile, inAll] = process.argv.slice(2);
if (path === undefined || inFile === undefined) throw new Error('usage: server-process <file> <its blocks> <blocks>');
const blocks: Uint8Array[] = [];
for await (const block of readBlockFile(path)) {
  blocks.push(block);
  if (blocks.length === Number(inFile)) break;
}
const { url } = await startGeyserServer(async ({ send, drained, end }) => {
  for (let sent = 0; sent < Number(inAll); sent += 1) {
    const block = blocks[sent % blocks.length]!;
    if (!send(renumbered(block, FIRST_SLOT + sent))) await drained();
  }
  end();
});
process.once('disconnect', () => process.exit(0));
process.send?.(url);

/** A copy of an update with another slot, behind the one before it. */
function renumbered(update: Uint8Array, slot: number): Uint8Array {
  const bytes = update.slice();
  const cursor = new ProtobufCursor(bytes, 0);
  let end = bytes.length;
  for (let tag = cursor.varint(end); tag !== UPDATE_BLOCK; tag = cursor.varint(end)) cursor.skip(tag, end);
  end = cursor.delimited(end);
  while (cursor.at < end) {
    const tag = cursor.varint(end);
    if (tag === BLOCK_SLOT) overwrite(cursor, slot, end);
    else if (tag === PARENT_SLOT) overwrite(cursor, slot - 1, end);
    else cursor.skip(tag, end);
  }
  return bytes;
}

function overwrite(cursor: ProtobufCursor, value: number, end: number): void {
  const start = cursor.at;
  cursor.varint(end);
  let rest = value;
  for (let at = start; at < cursor.at; at += 1) {
    cursor.bytes[at] = (rest & 0x7f) | (at < cursor.at - 1 ? 0x80 : 0);
    rest >>>= 7;
  }
}
