import type { Address } from '../chain/address.ts';
import type { RowBatch } from '../store/clickhouse/schema/row-batch.ts';
import { decodeRows } from '../store/clickhouse/schema/row-codec.ts';
import type { RowOf, TableLayout } from '../store/clickhouse/schema/table-layout.ts';
import {
  ATTEMPTS,
  type AttemptRow,
  CREATOR_CHANGES,
  type CreatorChangeRow,
  CURVE_COMPLETIONS,
  type CurveCompletionRow,
  HOLDINGS,
  type HoldingRow,
  POSITIONS,
  type PositionRow,
  SWAPS,
  type SwapRow,
  TOKEN_CREATIONS,
  TOKEN_GRADUATIONS,
  type TokenCreationRow,
  type TokenGraduationRow,
  TRANSFERS,
  type TransferRow,
} from '../store/clickhouse/schema/tables.ts';

/** One mint's rows of a batch, each kind in order of place. */
export interface MintRows {
  readonly creations: TokenCreationRow[];
  readonly completions: CurveCompletionRow[];
  readonly graduations: TokenGraduationRow[];
  readonly creatorChanges: CreatorChangeRow[];
  readonly swaps: SwapRow[];
  readonly attempts: AttemptRow[];
  /** Without hidden ones, which no list of a token shows. */
  readonly transfers: TransferRow[];
  /** Moves inside trades: they tell that a mint is there, as any send does. */
  readonly hiddenTransfers: TransferRow[];
  readonly positions: PositionRow[];
  readonly holdings: HoldingRow[];
}

export type RowsByMint = ReadonlyMap<Address | '', MintRows>;

// Books, token index and warm-ups read the same batch: it is decoded once and forgotten with the batch.
const decoded = new WeakMap<RowBatch, RowsByMint>();

/** The batch's rows by mint. */
export function readBatch(batch: RowBatch): RowsByMint {
  const known = decoded.get(batch);
  if (known !== undefined) return known;
  const byMint = new Map<Address | '', MintRows>();
  const of = (mint: Address | ''): MintRows => {
    let rows = byMint.get(mint);
    if (rows === undefined) {
      rows = noRows();
      byMint.set(mint, rows);
    }
    return rows;
  };
  for (const row of tableRows(batch, TOKEN_CREATIONS)) of(row.mint).creations.push(row);
  for (const row of tableRows(batch, CURVE_COMPLETIONS)) of(row.mint).completions.push(row);
  for (const row of tableRows(batch, TOKEN_GRADUATIONS)) of(row.mint).graduations.push(row);
  for (const row of tableRows(batch, CREATOR_CHANGES)) of(row.mint).creatorChanges.push(row);
  for (const row of tableRows(batch, SWAPS)) of(row.mint).swaps.push(row);
  for (const row of tableRows(batch, ATTEMPTS)) of(row.mint).attempts.push(row);
  for (const row of tableRows(batch, TRANSFERS)) {
    const rows = of(row.mint);
    (row.hidden ? rows.hiddenTransfers : rows.transfers).push(row);
  }
  for (const row of tableRows(batch, POSITIONS)) of(row.mint).positions.push(row);
  for (const row of tableRows(batch, HOLDINGS)) of(row.mint).holdings.push(row);
  decoded.set(batch, byMint);
  return byMint;
}

function noRows(): MintRows {
  return {
    creations: [],
    completions: [],
    graduations: [],
    creatorChanges: [],
    swaps: [],
    attempts: [],
    transfers: [],
    hiddenTransfers: [],
    positions: [],
    holdings: [],
  };
}

function tableRows<T extends TableLayout & { readonly name: Parameters<RowBatch['tables']['get']>[0] }>(
  batch: RowBatch,
  layout: T,
): readonly RowOf<T>[] {
  const table = batch.tables.get(layout.name);
  return table === undefined ? [] : decodeRows(layout, table.bytes);
}
