import type { HoldingRow } from '../store/clickhouse/schema/tables.ts';
import { newestSlotOf, readSettled, type SettledDeps } from './settled.ts';

/** A position, and where it was read with it the newest slot of all that is folded of its mint. */
interface ReadPosition {
  readonly slot: number;
  readonly mint_newest?: number;
}

/** Positions and holdings as they stand at one slot that the store answers for. */
export interface AgreeingRows<P> {
  readonly positions: readonly P[];
  readonly holdings: readonly HoldingRow[];
  readonly slot: number;
}

/** Reads positions and then holdings, again where a flush comes between them. */
export async function readAgreeing<P extends ReadPosition>(
  settled: SettledDeps,
  readPositions: () => Promise<readonly P[]>,
  readHoldings: (positions: readonly P[]) => Promise<readonly HoldingRow[]>,
): Promise<AgreeingRows<P>> {
  const { rows, slot } = await readSettled(
    settled,
    async () => {
      const positions = await readPositions();
      return { positions, holdings: await readHoldings(positions) };
    },
    ({ positions, holdings }) => newestSlotOf(holdings, newestSlotOf(positions, positions[0]?.mint_newest ?? 0)),
  );
  return { ...rows, slot };
}
