import { setTimeout as sleep } from 'node:timers/promises';
import { readBlockFile } from '../../src/sources/block-file.ts';
import { startGeyserServer } from '../../test/support/geyser-server.ts';
import { SLOTS_PER_CHAIN_S } from '../ingest/chain-file.ts';
import type { FromChain } from './played-chain.ts';

/**
 * A Yellowstone server that plays a file of blocks: the first ones as fast as they are taken, so that there is something
 * to look at, the others at the chain's pace by the clock on the wall once it is told to go on. Blocks go out undecoded:
 * the bench is not to take the time of those that it measures.
 */
const [path, blocks, atOnce] = process.argv.slice(2);
if (path === undefined) throw new Error('usage: chain-process <file> <blocks> <blocks that come at once>');
const tell = (message: FromChain) => process.send?.(message);
const toldToGoOn = new Promise((resolve) => process.once('message', resolve));
let subscriptions = 0;

const server = await startGeyserServer(async ({ send, drained, closed }) => {
  subscriptions += 1;
  // Behind a second subscription the chain would begin anew, and nothing would be what it was.
  if (subscriptions > 1) return tell({ type: 'again' });
  let sent = 0;
  let begun = 0;
  for await (const bytes of readBlockFile(path)) {
    if (sent === Number(atOnce)) {
      await toldToGoOn;
      begun = performance.now();
    }
    if (closed() || sent === Number(blocks)) break;
    const due = begun + ((sent - Number(atOnce)) * 1_000) / SLOTS_PER_CHAIN_S;
    if (sent >= Number(atOnce)) await sleep(Math.max(0, due - performance.now()));
    const behindMs = sent >= Number(atOnce) ? performance.now() - due : 0;
    if (!send(bytes)) await drained();
    sent += 1;
    tell({ type: 'sent', blocks: sent, behindMs });
  }
  tell({ type: 'end' });
});
tell({ type: 'listening', url: server.url });
process.once('disconnect', () => process.exit());
