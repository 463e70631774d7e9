import { isLetGo } from '../retention.ts';
import type { FactTableName } from '../schema/tables.ts';
import { readSqlFile } from '../sql-file.ts';
import { cameWithFlush, type FilledSum } from './due-slots.ts';

/**
 * A table that the writer fills out of a fact table's rows: a copy in another
 * order, or a rollup. The database does the folding, from the very bytes that go
 * into the fact table, but in an insert of its own: after a crash the writer can
 * then tell for each table whether it has its part, and mend just that one.
 */
export interface DerivedTable {
  readonly name: string;
  readonly source: FactTableName;
  /** The SELECT that folds; `$rows` stands for the rows. */
  readonly select: string;
  /** Columns that the SELECT gives, where the table has others besides, out of other facts; undefined for all of them. */
  readonly columns?: readonly string[] | undefined;
  /**
   * A query that tells by one row of the source whether the table has what was folded from it; its `{name:Type}` are
   * columns of that row. Undefined where rows may be inserted again and change nothing.
   */
  readonly presence: string | undefined;
}

/** A mint, wallet or '' as a query gets it, turned into what columns hold. */
const key = (column: string) => `toFixedString(base58Decode({${column}:String}), 32)`;
const POSITION = 'slot = {slot:UInt32} AND block_index = {block_index:UInt32} AND ix_index = {ix_index:UInt16}';
/** More slots than a minute has, so that not the whole table is read for one. */
const NEARBY = 'slot BETWEEN {slot:UInt32} - 2000 AND {slot:UInt32} + 2000';
/** The same of a quarter of an hour. */
const NEAR_QUARTER = 'slot BETWEEN {slot:UInt32} - 30000 AND {slot:UInt32} + 30000';
/** The same of an hour: from its first block to its last, of those that tell their time, and of the flush itself. */
const HOUR_BLOCKS = 'FROM blocks WHERE intDiv(toUInt32(time), 3600) = intDiv({time:UInt32}, 3600)';
const WITHIN_HOUR = `slot BETWEEN least({slot:UInt32} - 2000, ifNull((SELECT minOrNull(slot) ${HOUR_BLOCKS}), {slot:UInt32}))
  AND greatest({slot:UInt32} + 2000, (SELECT max(slot) ${HOUR_BLOCKS}))`;
/** Swaps of transactions whose tips are counted: a tip stands on each of them. */
const TIPS = 'tip > 0 AND venue IN (0, 1)';
/** Swaps that a token's volume is made of. */
const IN_SOL = `quote_mint = toFixedString('', 32) AND venue IN (0, 1)`;
const PARTIAL_SLOT = 'if({partial:Bool}, {slot:UInt32}, 0)';

/** What a token's facts come to, in a row or two. */
export const CARD = 'token_card';

function derived(source: FactTableName, name: string, presence?: string): DerivedTable {
  return { name, source, select: readSqlFile(new URL(`./${name}.sql`, import.meta.url)), presence };
}

/** A table that several facts fill, each some of its columns; rows may be inserted again. */
export const CARD_KEY = ['mint', 'priced_in', 'partial_slot'] as const;
function ofCard(source: FactTableName, ...columns: readonly string[]): DerivedTable {
  const select = readSqlFile(new URL(`./${CARD}_${source}.sql`, import.meta.url));
  return { name: CARD, source, select, columns: [...CARD_KEY, ...columns], presence: undefined };
}

/** The columns of its SELECT: `filled` stays 0 in what a flush brings. */
function ofFlush(table: DerivedTable, ...columns: readonly string[]): DerivedTable {
  return { ...table, columns };
}

/** Is a row with these values in the table? */
function has(table: string, condition: string): string {
  return `SELECT count() > 0 AS present FROM ${table} WHERE ${condition}`;
}

/** What flushes brought of a table that is filled beside the service, in a bucket of rows of single transactions or of none. */
const brought = `filled = 0 AND partial_slot = ${PARTIAL_SLOT}`;
const ofBrought = (table: FilledSum) =>
  `if(partial, slot, 0) = ${PARTIAL_SLOT} AND (partial OR ${cameWithFlush(table)})`;

/**
 * Does a rollup's sum reach that of its facts, over the bucket that a row falls into? Sums are of something that every row
 * has some of: one of amounts, which may be 0, is reached without a row.
 */
function reaches(sum: string, facts: string): string {
  return `SELECT (SELECT ${sum}) >= (SELECT ${facts}) AS present`;
}

/** The same of minutes that have a time to live: what was let go is not looked for. */
function reachesUntilLetGo(table: string, sum: string, facts: string): string {
  return `SELECT (SELECT ${sum}) >= (SELECT ${facts}) OR (${isLetGo(table, bucket(60))}) AS present`;
}

const OF_MINT_AND_QUOTE = `mint = ${key('mint')} AND quote_mint = ${key('quote_mint')}`;
const OF_VENUE_AND_QUOTE = `venue = {venue:UInt8} AND quote_mint = ${key('quote_mint')}`;
const OF_ROUTER = `router = ${key('router')}`;
const sameBucket = (seconds: number) => `intDiv(toUInt32(time), ${seconds}) = intDiv({time:UInt32}, ${seconds})`;
const bucket = (seconds: number) => `toDateTime(intDiv({time:UInt32}, ${seconds}) * ${seconds}, 'UTC')`;

const VENUE_COLUMNS = ['minute', 'venue', 'quote_mint', 'partial_slot', 'buys', 'sells', 'quote_amount', 'newest'];
const FEE_COLUMNS = ['minute', 'venue', 'partial_slot', 'swaps', 'fees', 'creator_fees', 'priority_fees', 'tip_swaps'];
const ECONOMICS_COLUMNS = [
  ...['slot', 'partial_slot', 'time', 'swaps', 'unmeasured', 'priority_fees', 'tips', 'fees', 'vol'],
] as const;
const TIPPER_COLUMNS = ['hour', 'tipper', 'partial_slot', 'transactions', 'lamports'];
const MINT_HOUR_COLUMNS = ['hour', 'mint', 'partial_slot', 'swaps', 'volume', 'highest'];
const ROUTER_COLUMNS = [
  ...['minute', 'router', 'venues', 'venue', 'quote_mint', 'partial_slot'],
  ...['swaps', 'quote_amount', 'transactions', 'tips', 'bids'],
] as const;
const REVERT_COLUMNS = ['minute', 'router', 'venues', 'partial_slot', 'transactions'];
const ROUTER_TRADER_COLUMNS = ['hour', 'router', 'venue', 'register', 'partial_slot', 'rank'];
const REGISTER_COLUMNS = ['hour', 'register', 'partial_slot', 'rank'];

export const DERIVED_TABLES: readonly DerivedTable[] = [
  derived(
    'blocks',
    'block_minutes',
    reaches(
      `sum(blocks) FROM block_minutes WHERE minute = ${bucket(60)}`,
      `count() FROM blocks WHERE ${sameBucket(60)} AND ${NEARBY}`,
    ),
  ),
  derived(
    'slot_tips',
    'tip_minutes',
    reaches(
      `sum(count) FROM tip_minutes WHERE minute = ${bucket(60)} AND tip_wallet = ${key('tip_wallet')}`,
      `sum(count) FROM slot_tips WHERE ${sameBucket(60)} AND tip_wallet = ${key('tip_wallet')} AND ${NEARBY}`,
    ),
  ),
  derived(
    'slot_tips',
    'tip_quarters',
    reaches(
      `sum(count) FROM tip_quarters WHERE quarter = ${bucket(900)} AND tip_wallet = ${key('tip_wallet')}`,
      `sum(count) FROM slot_tips WHERE ${sameBucket(900)} AND tip_wallet = ${key('tip_wallet')} AND ${NEAR_QUARTER}`,
    ),
  ),
  derived('token_creations', 'tokens_by_creation', has('tokens_by_creation', POSITION)),
  derived(
    'token_creations',
    'tokens_by_creator',
    has('tokens_by_creator', `creator = ${key('creator')} AND ${POSITION}`),
  ),
  derived('token_creations', 'tokens_by_name', has('tokens_by_name', `mint = ${key('mint')} AND ${POSITION}`)),
  derived('swaps', 'swaps_by_trader', has('swaps_by_trader', `trader = ${key('trader')} AND ${POSITION}`)),
  derived(
    'swaps',
    'candles',
    reaches(
      `sum(trades) FROM candles WHERE ${OF_MINT_AND_QUOTE} AND seconds = 60 AND bucket = ${bucket(60)} AND partial_slot = ${PARTIAL_SLOT}`,
      `count() FROM swaps WHERE ${OF_MINT_AND_QUOTE} AND priced AND ${sameBucket(60)} AND if(partial, slot, 0) = ${PARTIAL_SLOT}`,
    ),
  ),
  derived(
    'swaps',
    'mint_minutes',
    reaches(
      `sum(buys + sells) FROM mint_minutes WHERE ${OF_MINT_AND_QUOTE} AND minute = ${bucket(60)} AND partial_slot = ${PARTIAL_SLOT}`,
      `count() FROM swaps WHERE ${OF_MINT_AND_QUOTE} AND ${sameBucket(60)} AND if(partial, slot, 0) = ${PARTIAL_SLOT}`,
    ),
  ),
  ofFlush(
    derived(
      'swaps',
      'venue_minutes',
      reaches(
        `sum(buys + sells) FROM venue_minutes WHERE ${OF_VENUE_AND_QUOTE} AND minute = ${bucket(60)} AND ${brought}`,
        `count() FROM swaps WHERE ${OF_VENUE_AND_QUOTE} AND ${sameBucket(60)} AND ${NEARBY} AND ${ofBrought('venue_minutes')}`,
      ),
    ),
    ...VENUE_COLUMNS,
  ),

  ofFlush(
    derived(
      'swaps',
      'fee_minutes',
      reaches(
        `sum(swaps) FROM fee_minutes WHERE venue = {venue:UInt8} AND minute = ${bucket(60)} AND ${brought}`,
        `count() FROM swaps WHERE venue = {venue:UInt8} AND ${sameBucket(60)} AND ${NEARBY} AND ${ofBrought('fee_minutes')}`,
      ),
    ),
    ...FEE_COLUMNS,
  ),

  ofFlush(
    derived(
      'swaps',
      'tipper_hours',
      reaches(
        `sum(transactions) FROM tipper_hours WHERE tipper = ${key('fee_payer')} AND hour = ${bucket(3_600)} AND ${brought}`,
        `uniqExact(slot, block_index) FROM swaps WHERE fee_payer = ${key('fee_payer')} AND ${TIPS} AND ${sameBucket(3_600)} AND ${WITHIN_HOUR} AND ${ofBrought('tipper_hours')}`,
      ),
    ),
    ...TIPPER_COLUMNS,
  ),
  ofFlush(
    derived(
      'swaps',
      'slot_economics',
      reaches(
        `sum(swaps) FROM slot_economics WHERE slot = {slot:UInt32} AND ${brought}`,
        `count() FROM swaps WHERE slot = {slot:UInt32} AND ${ofBrought('slot_economics')}`,
      ),
    ),
    ...ECONOMICS_COLUMNS,
  ),
  ofFlush(
    derived(
      'swaps',
      'mint_hours',
      reaches(
        `sum(swaps) FROM mint_hours WHERE mint = ${key('mint')} AND hour = ${bucket(3_600)} AND ${brought}`,
        `count() FROM swaps WHERE mint = ${key('mint')} AND ${IN_SOL} AND ${sameBucket(3_600)} AND ${WITHIN_HOUR} AND ${ofBrought('mint_hours')}`,
      ),
    ),
    ...MINT_HOUR_COLUMNS,
  ),
  ofFlush(derived('swaps', 'trader_registers'), ...REGISTER_COLUMNS),
  ofFlush(
    derived(
      'swaps',
      'router_minutes',
      reachesUntilLetGo(
        'router_minutes',
        `sum(swaps) FROM router_minutes WHERE ${OF_ROUTER} AND minute = ${bucket(60)} AND ${brought}`,
        `count() FROM swaps WHERE ${OF_ROUTER} AND ${sameBucket(60)} AND ${NEARBY} AND ${ofBrought('router_minutes')}`,
      ),
    ),
    ...ROUTER_COLUMNS,
  ),
  ofFlush(
    derived(
      'attempts',
      'router_reverts',
      reachesUntilLetGo(
        'router_reverts',
        `sum(transactions) FROM router_reverts WHERE ${OF_ROUTER} AND minute = ${bucket(60)} AND ${brought}`,
        `uniqExact(slot, block_index) FROM attempts WHERE ${OF_ROUTER} AND ${sameBucket(60)} AND ${NEARBY} AND ${ofBrought('router_reverts')}`,
      ),
    ),
    ...REVERT_COLUMNS,
  ),
  ofFlush(derived('swaps', 'router_traders'), ...ROUTER_TRADER_COLUMNS),
  derived('swaps', 'token_latest'),
  derived('swaps', 'market_latest'),
  ofCard('swaps', 'newest', 'newest_priced', 'highest'),
  ofCard('token_creations', 'creation'),
  ofCard('curve_completions', 'completion'),
  ofCard('token_graduations', 'graduation'),
  ofCard('creator_changes', 'creator_change'),
  derived('transfers', 'transfers_by_wallet', has('transfers_by_wallet', `wallet = ${key('sender')} AND ${POSITION}`)),
  derived('fundings', 'fundings_by_funder', has('fundings_by_funder', `funder = ${key('funder')} AND ${POSITION}`)),
  derived('positions', 'positions_by_trader'),
];

/** What follows the table's name in an INSERT out of `$rows`. */
export function insertedSelect({ select, columns }: Pick<DerivedTable, 'select' | 'columns'>): string {
  return columns === undefined ? select : `(${columns.join(', ')}) ${select}`;
}

/** The same for the fact tables themselves. */
export function factPresence(table: FactTableName): string | undefined {
  switch (table) {
    case 'positions':
    case 'holdings':
    case 'stale_positions':
      return undefined;
    case 'blocks':
      return has(table, 'slot = {slot:UInt32}');
    case 'slot_tips':
      return has(table, `slot = {slot:UInt32} AND tip_wallet = ${key('tip_wallet')}`);
    case 'fundings':
      return has(table, `wallet = ${key('wallet')} AND ${POSITION}`);
    default:
      return has(table, `mint = ${key('mint')} AND ${POSITION}`);
  }
}
