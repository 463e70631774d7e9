import { readGeyserBlock } from '../chain/geyser/geyser-protobuf.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Journal } from '../kernel/journal.ts';
import type { Logger } from '../kernel/log.ts';
import type { LoadName } from '../simulator/load.ts';
import { createNetwork } from '../simulator/network/network.ts';
import { createSimulator } from '../simulator/simulator.ts';
import type { BlockSource, BlockTap, Commitment } from './source.ts';

export interface SimulatorSourceOptions {
  readonly seed: number;
  readonly load: LoadName;
  readonly clock: Clock;
  readonly log: Logger;
  readonly journal: Journal;
  readonly tap?: BlockTap;
  /** With `processed`, blocks are given at once and confirmed when {@link CONFIRMING_BLOCKS} stand on them. */
  readonly commitment?: Commitment;
  readonly slotMs?: number;
  /** Slots of the past that come at once at the first start, so that there is something to look at. */
  readonly historySlots?: number;
}

/** First slot of the simulated chain: past every real slot that fixtures or captures hold. */
export const FIRST_SIMULATED_SLOT = 460_000_000;
/** Mainnet's since October 2026. */
const SLOT_MS = 200;
const HISTORY_SLOTS = 300;
/** Mainnet confirms a block while the second or third one after it is made. */
const CONFIRMING_BLOCKS = 2;

/**
 * The simulated chain at the pace of a clock. What happens on it depends on the
 * seed and the start alone. After a restart the chain goes on behind the last
 * slot that the store has, as a new epoch: other actors, other coins.
 */
export function createSimulatorSource(options: SimulatorSourceOptions): BlockSource {
  const { seed, load, clock, log, journal, tap, slotMs = SLOT_MS, historySlots = HISTORY_SLOTS } = options;
  const isConfirmedAtOnce = options.commitment !== 'processed';
  return {
    name: 'simulator',
    async *steps({ fromSlot, signal }) {
      const pastMs = fromSlot === undefined ? historySlots * slotMs : 0;
      const startSlot = fromSlot ?? FIRST_SIMULATED_SLOT;
      const simulator = createSimulator({
        // The same validators at every start: whoever knows the seed knows the schedule.
        network: createNetwork({ seed: String(seed) }),
        seed: fromSlot === undefined ? seed : `${seed}@${fromSlot}`,
        load,
        slotMs,
        startSlot,
        startTime: Math.floor((clock.now() - pastMs) / 1_000),
      });
      log.info({ seed, load, start_slot: startSlot, slot_ms: slotMs }, 'all data comes from a simulated chain');
      const startedAt = clock.elapsed() - pastMs;
      const unconfirmed: number[] = [];
      while (!signal.aborted) {
        const block = simulator.next();
        const dueAt = startedAt + (block.slot - startSlot) * slotMs;
        // Also when late: making blocks is work without a pause, and the thread has other things to do.
        await clock.sleep(Math.max(0, dueAt - clock.elapsed()), signal);
        if (signal.aborted) return;
        const bytes = block.geyser();
        tap?.(block.slot, bytes);
        yield { kind: 'block', block: readGeyserBlock(bytes, journal), confirmed: isConfirmedAtOnce };
        if (isConfirmedAtOnce) continue;
        unconfirmed.push(block.slot);
        if (unconfirmed.length > CONFIRMING_BLOCKS) yield { kind: 'confirmed', slot: unconfirmed.shift()! };
      }
    },
  };
}
