import fc from 'fast-check';
import type { Address } from '../../src/chain/address.ts';
import { encodeAddress } from '../../src/chain/base58.ts';
import { foldPositions, type PositionState } from '../../src/facts/average-cost.ts';
import { toPositionRow } from '../../src/ingest/position-rows.ts';
import type { RowBatch, RowBytes } from '../../src/store/clickhouse/row-batch.ts';
import { encodeRows } from '../../src/store/clickhouse/row-codec.ts';
import {
  ATTEMPTS,
  type AttemptRow,
  BLOCKS,
  CREATOR_CHANGES,
  type CreatorChangeRow,
  CURVE_COMPLETIONS,
  type CurveCompletionRow,
  type FactTable,
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
} from '../../src/store/clickhouse/tables.ts';

/** Generated rows of a few tokens over a run of blocks: what books and queries must agree about. */

export interface WorldBlock {
  readonly slot: number;
  readonly time: number;
  readonly creations: TokenCreationRow[];
  readonly completions: CurveCompletionRow[];
  readonly graduations: TokenGraduationRow[];
  readonly creatorChanges: CreatorChangeRow[];
  readonly swaps: SwapRow[];
  readonly attempts: AttemptRow[];
  readonly transfers: TransferRow[];
  readonly positions: PositionRow[];
}

export const WORLD_MINTS: readonly Address[] = [11, 12, 13].map(address);
const TRADERS = [21, 22, 23, 24, 25, 26].map(address);
/** USDC, which the registry knows, and a mint that nobody knows. */
const QUOTES: readonly (Address | '')[] = [
  '',
  '',
  '',
  'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address,
  address(31),
];
const ROUTERS: readonly (Address | '')[] = ['', 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4' as Address, address(41)];

export function address(seed: number): Address {
  return encodeAddress(new Uint8Array(32).fill(seed));
}

/** One thing that happens, by arbitrary numbers that are bent into rows. */
interface Happening {
  readonly kind: 'swap' | 'swap2' | 'swap3' | 'attempt' | 'transfer' | 'create' | 'complete' | 'graduate' | 'change';
  readonly mint: number;
  readonly trader: number;
  readonly quote: number;
  readonly venue: number;
  readonly flag: boolean;
  readonly odd: boolean;
  readonly amount: bigint;
  readonly tokens: bigint;
}

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
export function worldBlocks(endTime: number, maxBlocks: number): fc.Arbitrary<WorldBlock[]> {
  return fc.array(block, { minLength: 1, maxLength: maxBlocks }).map((shapes) => {
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
  const changed = foldPositions(positions, made.swaps.map(positionSwap));
  made.positions.push(...[...changed].map((key) => toPositionRow(positions.get(key)!)));
  return made;
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

function addHappening(made: WorldBlock, each: Happening, index: number): void {
  // Two happenings share a transaction now and then.
  const origin = {
    mint: WORLD_MINTS[each.mint]!,
    slot: made.slot,
    block_index: index - (index % 2),
    ix_index: 3 + (index % 2),
    time: made.time,
    signature: signature(made.slot, index - (index % 2)),
    partial: false,
  };
  if (each.kind === 'attempt') made.attempts.push(attempt(origin, each));
  else if (each.kind === 'transfer') made.transfers.push(transfer(origin, each));
  else if (each.kind === 'create') made.creations.push(creation(origin, each));
  else if (each.kind === 'complete') {
    made.completions.push({ ...origin, bonding_curve: address(51), user: TRADERS[each.trader]! });
  } else if (each.kind === 'graduate') {
    made.graduations.push({
      ...origin,
      pool: address(61),
      quote_mint: '',
      token_amount: each.tokens,
      quote_amount: each.amount,
      migration_fee: 0n,
    });
  } else if (each.kind === 'change') {
    made.creatorChanges.push({ ...origin, previous: '', creator: TRADERS[each.trader]!, reason: 'set_creator' });
  } else made.swaps.push(swap(origin, each));
}

type Origin = Pick<SwapRow, 'slot' | 'block_index' | 'ix_index' | 'time' | 'signature' | 'partial'> & {
  readonly mint: Address;
};

function signature(slot: number, index: number): Uint8Array {
  const bytes = new Uint8Array(64).fill(index + 1);
  new DataView(bytes.buffer).setUint32(0, slot);
  return bytes;
}

function transaction(each: Happening) {
  return {
    fee_payer: TRADERS[each.trader]!,
    router: ROUTERS[each.mint % ROUTERS.length]!,
    tip: each.odd ? 1_000n : 0n,
    tip_wallet: each.odd ? address(71) : ('' as const),
    cu_price: 5n,
    cu_limit: 200_000,
    priority_fee: 1n,
    budget_source: each.quote % 3,
    network_fee: 5_001n,
  };
}

function swap(origin: Origin, each: Happening): SwapRow {
  const quote = QUOTES[each.quote]!;
  return {
    ...origin,
    ...transaction(each),
    venue: each.venue,
    pool: each.venue === 0 ? '' : address(61),
    trader: TRADERS[each.trader]!,
    is_buy: each.flag,
    quote_mint: quote,
    quote_decimals: quote === '' ? 9 : quote === QUOTES[3] ? 6 : 255,
    token_decimals: 6,
    quote_amount: each.amount,
    token_amount: each.tokens,
    price_quote: each.amount,
    price_token: each.tokens,
    price: Number(each.amount) / Number(each.tokens),
    fee: each.amount / 100n,
    creator_fee: each.amount / 200n,
    lp_fee: each.amount / 500n,
    fee_in_token: each.odd,
    fee_creator: each.odd ? address(72) : '',
    virtual_quote_reserves: each.amount * 3n,
    virtual_token_reserves: each.tokens * 3n,
    real_quote_reserves: each.amount * 2n,
    real_token_reserves: each.tokens * 2n,
    reserves_known: !each.odd,
    priced: !(each.odd && each.flag),
    protocol_actor: each.odd && each.trader === 0,
    bundled: each.trader % 3,
  };
}

function attempt(origin: Origin, each: Happening): AttemptRow {
  return {
    ...origin,
    ...transaction(each),
    venue: each.venue % 2,
    trader: TRADERS[each.trader]!,
    side: each.trader % 3,
    outcome: 1 + (each.trader % 3),
    why: each.flag ? 'TooMuchSolRequired' : '',
    error_code: each.flag ? 6_002 : 0,
    program: each.odd ? address(81) : '',
  };
}

function transfer(origin: Origin, each: Happening): TransferRow {
  return {
    ...origin,
    sender: TRADERS[each.trader]!,
    receiver: address(91),
    amount: each.tokens,
    decimals: 6,
    ambiguous: each.odd,
  };
}

function creation(origin: Origin, each: Happening): TokenCreationRow {
  return {
    ...origin,
    creator: TRADERS[each.trader]!,
    fee_creator: each.flag ? TRADERS[each.trader]! : address(73),
    name: each.odd ? 'Quote " and \\ and \u2028 é' : 'Plain',
    symbol: 'SYM',
    uri: 'https://example.invalid/a.json',
    bonding_curve: address(51),
    decimals: 6,
    token_program: '',
    quote_mint: '',
    mayhem: each.odd,
    cashback: each.flag,
    holder_reward: false,
    creator_fee_bps: 0,
    curve_depth: 0,
    virtual_token_reserves: 0n,
    virtual_quote_reserves: 0n,
    real_token_reserves: 0n,
    supply: 10n ** 15n,
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
