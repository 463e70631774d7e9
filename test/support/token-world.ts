import fc from 'fast-check';
import type { Address } from '../../src/chain/address.ts';
import type { PositionState } from '../../src/facts/average-cost.ts';
import { toPositionRow } from '../../src/store/clickhouse/schema/position-rows.ts';
import type { RowBatch, RowBytes } from '../../src/store/clickhouse/schema/row-batch.ts';
import { encodeRows } from '../../src/store/clickhouse/schema/row-codec.ts';
import {
  ATTEMPTS,
  BLOCKS,
  CREATOR_CHANGES,
  CURVE_COMPLETIONS,
  type FactTable,
  POSITIONS,
  SWAPS,
  type SwapRow,
  TOKEN_CREATIONS,
  TOKEN_GRADUATIONS,
  TRANSFERS,
} from '../../src/store/clickhouse/schema/tables.ts';
import { foldPositions } from './fold-positions.ts';
import {
  addHappening,
  address,
  type Happening,
  QUOTES,
  TRADERS,
  WORLD_MINTS,
  type WorldBlock,
} from './token-world-rows.ts';

/** Generated rows of a few tokens over a run of blocks: what books and queries must agree about. */

const happening: fc.Arbitrary<Happening> = fc.record({
  kind: fc.constantFrom(
    ...(['swap', 'swap2', 'swap3', 'attempt', 'transfer', 'create', 'complete', 'graduate', 'change'] as const),
  ),
  mint: fc.nat(WORLD_MINTS.length - 1),
  trader: fc.nat(TRADERS.length - 1),
  quote: fc.nat(QUOTES.length - 1),
  venue: fc.nat(2),
  flag: fc.boolean(),
  odd: fc.boolean(),
  amount: fc.bigInt({ min: 1n, max: 10n ** 12n }),
  // Equal balances now and then.
  tokens: fc.oneof(fc.constantFrom(1_000_000n, 2_000_000n), fc.bigInt({ min: 1n, max: 10n ** 13n })),
});

const block = fc.record({
  slotGap: fc.integer({ min: 1, max: 3 }),
  timeGap: fc.constantFrom(0, 0, 1, 1, 2, 30, 700, 7_000),
  happenings: fc.array(happening, { maxLength: 8 }),
});

/** Blocks that end near `endTime` (Unix seconds), in slot order, times never running backwards. */
export function worldBlocks(endTime: number, maxBlocks: number, minBlocks = 1): fc.Arbitrary<WorldBlock[]> {
  return fc.array(block, { minLength: minBlocks, maxLength: maxBlocks }).map((shapes) => {
    const length = shapes.reduce((sum, { timeGap }) => sum + timeGap, 0);
    const positions = new Map<string, PositionState>();
    // Near a turn of the five digits that a cursor keeps of a slot.
    let slot = 399_999_990;
    let time = endTime - length;
    return shapes.map(({ slotGap, timeGap, happenings }) => {
      slot += slotGap;
      time += timeGap;
      return makeBlock(slot, time, happenings, positions);
    });
  });
}

function makeBlock(
  slot: number,
  time: number,
  happenings: readonly Happening[],
  positions: Map<string, PositionState>,
): WorldBlock {
  const made: WorldBlock = {
    slot,
    time,
    creations: [],
    completions: [],
    graduations: [],
    creatorChanges: [],
    swaps: [],
    attempts: [],
    transfers: [],
    positions: [],
  };
  for (const [index, each] of happenings.entries()) addHappening(made, each, index);
  made.positions.push(...foldedPositions(made, positions));
  return made;
}

/** Rows of the positions that a block changes, folded onto `positions`. */
export function foldedPositions(made: WorldBlock, positions: Map<string, PositionState>): WorldBlock['positions'] {
  const changed = foldPositions(positions, made.swaps.map(positionSwap));
  return [...changed].map((key) => toPositionRow(positions.get(key)!));
}

function positionSwap(row: SwapRow) {
  return {
    mint: row.mint as Address,
    quoteMint: row.quote_mint === '' ? undefined : row.quote_mint,
    trader: row.trader as Address,
    slot: row.slot,
    blockIndex: row.block_index,
    ixIndex: row.ix_index,
    time: row.time,
    isBuy: row.is_buy,
    quoteAmount: row.quote_amount,
    tokenAmount: row.token_amount,
    protocolActor: row.protocol_actor,
  };
}

/** The same blocks with a mint created once at most, as on the chain. */
export function bornOnce(blocks: readonly WorldBlock[]): WorldBlock[] {
  const born = new Set<string>();
  const isFirst = (mint: string) => !born.has(mint) && born.add(mint).has(mint);
  return blocks.map((block) => ({ ...block, creations: block.creations.filter((row) => isFirst(row.mint)) }));
}

/** The same blocks at other slots, of other mints: several worlds fit into one store. */
export function relocateWorld(blocks: readonly WorldBlock[], world: number): WorldBlock[] {
  const moved = <T extends { mint: Address | ''; slot: number }>(rows: readonly T[]) =>
    rows.map((row) => ({ ...row, mint: worldMint(row.mint, world), slot: worldSlot(row.slot, world) }));
  return blocks.map((block) => ({
    slot: worldSlot(block.slot, world),
    time: block.time,
    creations: moved(block.creations),
    completions: moved(block.completions),
    graduations: moved(block.graduations),
    creatorChanges: moved(block.creatorChanges),
    swaps: moved(block.swaps),
    attempts: moved(block.attempts),
    transfers: moved(block.transfers),
    positions: moved(block.positions).map((row) => ({ ...row, first_slot: worldSlot(row.first_slot, world) })),
  }));
}

/** A mint of {@link WORLD_MINTS} in a world. */
export function worldMint(mint: Address | '', world: number): Address {
  return address(100 + world * WORLD_MINTS.length + WORLD_MINTS.indexOf(mint as Address));
}

/** By whole turns of the digits that a cursor keeps, so that worlds stay near one. */
function worldSlot(slot: number, world: number): number {
  return slot + world * 100_000;
}

/** The same rows as they come from single transactions, without their block. */
export function partialBlock(made: WorldBlock): WorldBlock {
  const marked = <T extends { partial: boolean }>(rows: readonly T[]) => rows.map((row) => ({ ...row, partial: true }));
  return {
    ...made,
    creations: marked(made.creations),
    completions: marked(made.completions),
    graduations: marked(made.graduations),
    creatorChanges: marked(made.creatorChanges),
    swaps: marked(made.swaps),
    attempts: marked(made.attempts),
    transfers: marked(made.transfers),
  };
}

/** A block's rows as ingest sends them. */
export function worldBatch(made: WorldBlock, closesSlots = true): RowBatch {
  const tables = new Map<FactTable['name'], RowBytes>();
  const put = (name: FactTable['name'], bytes: RowBytes) => {
    if (bytes.rows > 0) tables.set(name, bytes);
  };
  put('token_creations', encodeRows(TOKEN_CREATIONS, made.creations));
  put('curve_completions', encodeRows(CURVE_COMPLETIONS, made.completions));
  put('token_graduations', encodeRows(TOKEN_GRADUATIONS, made.graduations));
  put('creator_changes', encodeRows(CREATOR_CHANGES, made.creatorChanges));
  put('swaps', encodeRows(SWAPS, made.swaps));
  put('attempts', encodeRows(ATTEMPTS, made.attempts));
  put('transfers', encodeRows(TRANSFERS, made.transfers));
  put('positions', encodeRows(POSITIONS, made.positions));
  put('blocks', encodeRows(BLOCKS, [blockRow(made)]));
  return { firstSlot: made.slot, lastSlot: made.slot, closesSlots, tables };
}

function blockRow({ slot, time, swaps, attempts }: WorldBlock) {
  return {
    slot,
    blockhash: `hash${slot}`,
    parent_slot: slot - 1,
    time,
    transactions: 10,
    failed: attempts.length,
    votes: 5,
    swaps: swaps.length,
    attempts: attempts.length,
    fees: 50_000n,
    priority_fees: 0n,
    tips: 0n,
  };
}
