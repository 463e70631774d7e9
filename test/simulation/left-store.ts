import { systemClock } from '../../src/kernel/clock.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { missingRanges } from '../../src/store/clickhouse/coverage.ts';
import { openStore } from '../../src/store/clickhouse/store.ts';
import { verifyStore } from '../../src/store/clickhouse/verify/verify.ts';
import { candleDifference } from './candle-truth.ts';
import type { HostileGeyser } from './hostile-geyser.ts';
import type { HostileRpc } from './hostile-rpc.ts';
import type { SimulatedNode } from './simulated-node.ts';
import { holdingDifference, positionDifference, storeDifference, viewsOf } from './store-truth.ts';

/** A data folder that a service has left in order, and the chain that it followed. */
export interface LeftStore {
  readonly node: SimulatedNode;
  readonly geyser: HostileGeyser;
  readonly rpc: HostileRpc;
  readonly dataDir: string;
}

export interface Compared {
  /** The first difference; undefined when all is the truth. */
  readonly fault: string | undefined;
  readonly blocks: number;
  readonly swaps: number;
  readonly positions: number;
}

/** Opens the store that is left, as the service would, and compares all of it. */
export async function compare({ node, geyser, rpc, dataDir }: LeftStore): Promise<Compared> {
  const store = await openStore({ url: undefined, dataDir, log: silentLogger, clock: systemClock });
  try {
    const range = { first: node.firstSlot, last: node.confirmedSlot };
    const blocks = node.chain(range.first, range.last);
    const facts = blocks.map(({ truth }) => truth.facts('decoded'));
    const holes = missingRanges(store.coverage, range);
    const served = { sentSlots: geyser.sentSlots, given: rpc.given };
    const fault =
      (holes.length > 0 ? `slots are missing: ${JSON.stringify(holes)}` : undefined) ??
      (await storeDifference(
        store.client,
        blocks.map((block) => viewsOf(block, served)),
      )) ??
      (await positionDifference(store.client, facts)) ??
      (await holdingDifference(store.client, facts)) ??
      (await candleDifference(store.client, facts));
    const { mismatches, checked } = await verifyStore(store);
    const swaps = facts.reduce((sum, each) => sum + each.swaps.length, 0);
    const differs = mismatches.length > 0 ? `verify: ${JSON.stringify(mismatches.slice(0, 3))}` : undefined;
    return { fault: fault ?? differs, blocks: blocks.length, swaps, positions: checked.positions ?? 0 };
  } finally {
    await store.close();
  }
}
