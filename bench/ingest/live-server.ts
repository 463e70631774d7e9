import { readGeyserBlock } from '../../src/chain/geyser/geyser-protobuf.ts';
import { silentJournal } from '../../src/kernel/journal.ts';
import { readBlockFile } from '../../src/sources/block-file.ts';
import { startGeyserServer } from '../../test/support/geyser-server.ts';
import { SLOTS_PER_CHAIN_S } from './chain-file.ts';
import type { FromLiveServer } from './live.ts';

/**
 * A Yellowstone server that plays a file at the chain's pace by the wall clock,
 * and tells of each block when it went out.
 */
const [path, slots] = process.argv.slice(2);
if (path === undefined || slots === undefined) throw new Error('usage: live-server <file> <slots>');
const tell = (message: FromLiveServer) => process.send?.(message);

const server = await startGeyserServer(async ({ send }) => {
  let first: { readonly slot: number; readonly at: number } | undefined;
  for await (const bytes of readBlockFile(path)) {
    const { slot } = readGeyserBlock(bytes, silentJournal);
    first ??= { slot, at: performance.now() };
    if (slot >= first.slot + Number(slots)) break;
    const due = first.at + ((slot - first.slot) * 1_000) / SLOTS_PER_CHAIN_S;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
    tell({ type: 'sent', slot, at: performance.timeOrigin + performance.now() });
    send(bytes);
  }
  tell({ type: 'end' });
});
tell({ type: 'listening', url: server.url });
