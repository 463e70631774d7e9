import { setTimeout as sleep } from 'node:timers/promises';
import { LOADS } from '../../src/simulator/load.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { startGeyserServer } from '../../test/support/geyser-server.ts';

/**
 * A Yellowstone server, in a process of its own, whose chain trades few coins, and the first of them as often as the
 * hottest of mainnet: some 30 swaps a second. Blocks go out at the pace of their slots by the wall clock.
 */
const SLOT_MS = 200;
const LOAD = { ...LOADS.desk, trades: 160, liveCoins: 3, creations: 0.05 };

const server = await startGeyserServer(async ({ send, closed }) => {
  const startTime = Math.floor(Date.now() / 1_000);
  const simulator = createSimulator({ seed: 'hot token', load: LOAD, slotMs: SLOT_MS, startTime, sign: false });
  const begun = performance.now();
  let first: number | undefined;
  while (!closed()) {
    const block = simulator.next();
    first ??= block.slot;
    await sleep(Math.max(0, begun + (block.slot - first) * SLOT_MS - performance.now()));
    send(block.geyser());
  }
});
process.send?.({ url: server.url });
process.once('disconnect', () => process.exit());
