import { jsonBody } from '../../books/json-text.ts';
import type { Address } from '../../chain/address.ts';
import { encodeSignature } from '../../chain/keys/base58.ts';
import type { Written } from '../../contract/written.ts';
import { BONDING_CURVE } from '../../facts/venue.ts';
import { routerName, tipProvider } from '../../programs/registry/index.ts';
import { answerOf, BUDGET_OF_MESSAGE, BUDGET_UNAVAILABLE } from '../../store/clickhouse/schema/codes.ts';
import type { TokenCreationRow } from '../../store/clickhouse/schema/tables.ts';
import { knownQuoteDecimals, quoteUnit, ROUTER_SINCE, swapPrice } from '../../token/row-json.ts';
import { shownName } from '../../token/shown-name.ts';
import type { LeaderOf, TokenState } from '../../token/state.ts';
import { BOARD_SIZE } from './contract-limits.ts';
import type { RaceAttempt as BoardRow, LaunchRace as RaceAnswer, RaceSlot as SlotRow } from './contract-shapes.ts';
import { isLanded, type LandedAttempt, type LaunchRace, type RaceAttempt, type RaceSlot } from './race-rules.ts';

const LAMPORTS_PER_SOL = 1e9;

export interface RaceFrame {
  readonly mint: Address;
  readonly creation: TokenCreationRow;
  readonly slots: number;
  /** Who led a slot; left out where that is not asked. */
  readonly leaderOf?: LeaderOf;
}

export function raceBody({ mint, creation, slots, leaderOf }: RaceFrame, race: LaunchRace): Buffer {
  const { attempts, whole, revertedKnown, winner } = race;
  const board = boardOf(race);
  const told = (count: number | undefined) => (whole ? count : count || undefined);
  const tried = (count: number) => (revertedKnown ? told(count) : undefined);
  return jsonBody({
    mint,
    symbol: shownName(creation.symbol),
    created_slot: creation.slot || undefined,
    created_block_index: creation.block_index,
    slots,
    attempts: tried(attempts.length),
    landed: told(race.landed),
    contenders: tried(race.contenders),
    winner: winner?.wallet,
    winner_cu_price: String(race.winnerCuPrice),
    // Without a winner all is said of its bid, unless the winner is only not known.
    winner_bid_known: race.winnerBidKnown && (whole || winner !== undefined),
    losing_cu_price_max: race.losingCuPriceMax?.toString(),
    self_aborts: tried(race.selfAborts),
    unknown_outcome: tried(race.unknownOutcome),
    bundle_size: told(race.bundleSize),
    headline: race.headline,
    by_slot: race.bySlot.map((slot) => slotRow(slot, revertedKnown)),
    board: board.map((attempt) => boardRow(attempt, winner, leaderOf?.(attempt.row.slot))),
    board_omitted: attempts.length - board.length || undefined,
    partial: !whole || !revertedKnown || undefined,
  } satisfies Written<RaceAnswer>);
}

/** The answer of a token whose creation nobody saw: when the race was is not known, nor who the creator is. */
export function unknownRaceBody({ mint, hydrated }: Pick<TokenState, 'mint' | 'hydrated'>, slots: number): Buffer {
  return jsonBody({
    mint,
    symbol: hydrated?.named === true ? shownName(hydrated.symbol) : undefined,
    slots,
    winner_cu_price: '0',
    winner_bid_known: false,
    headline: 'The creation of this token was not seen, so there is no race to tell.',
    by_slot: [],
    board: [],
    partial: true,
  } satisfies Written<RaceAnswer>);
}

/** The first to arrive, and the winner in the last place when it came after all of them. */
function boardOf({ attempts, winner }: LaunchRace): readonly RaceAttempt[] {
  const board = attempts.slice(0, BOARD_SIZE);
  if (winner !== undefined && !board.includes(winner)) board[BOARD_SIZE - 1] = winner;
  return board;
}

function slotRow(slot: RaceSlot, revertedKnown: boolean): Written<SlotRow> {
  return {
    slots_after_creation: slot.slotsAfterCreation,
    attempts: revertedKnown ? slot.attempts : undefined,
    landed: slot.landed,
    wallets: revertedKnown ? slot.wallets : undefined,
    median_tip: String(slot.medianTip),
    median_tip_declared: revertedKnown ? slot.medianTipDeclared?.toString() : undefined,
    partial: !slot.whole || undefined,
  };
}

function boardRow(
  attempt: RaceAttempt,
  winner: LandedAttempt | undefined,
  leader: ReturnType<LeaderOf>,
): Written<BoardRow> {
  const { row } = attempt;
  return {
    wallet: attempt.wallet,
    slots_after_creation: attempt.slotsAfterCreation,
    block_index: row.block_index,
    outcome: attempt.outcome,
    dev: attempt.isDev || undefined,
    first_outside: attempt === winner || undefined,
    ...budgetFields(row),
    tip: String(row.tip),
    provider: row.tip_wallet === '' ? undefined : tipProvider(row.tip_wallet),
    ...(isLanded(attempt) ? landedFields(attempt) : revertedFields(attempt)),
    ...programFields(attempt),
    leader: leader?.identity,
    leader_name: leader?.name,
    leader_client: leader?.client,
    sig: encodeSignature(row.signature),
    partial: row.partial || undefined,
  };
}

type BudgetFields = Pick<Written<BoardRow>, 'cu_price' | 'cu_limit' | 'priority_fee' | 'budget_source'>;

/** As on swap rows: only the curve's carry the compute budget, elsewhere 0 means not measured. */
function budgetFields(row: RaceAttempt['row']): BudgetFields {
  if (row.venue !== BONDING_CURVE) return { cu_price: '0', cu_limit: '0', priority_fee: '0' };
  const { budget_source: source } = row;
  return {
    cu_price: String(row.cu_price),
    cu_limit: String(row.cu_limit),
    priority_fee: String(row.priority_fee),
    budget_source: source === BUDGET_OF_MESSAGE || source === BUDGET_UNAVAILABLE ? source : undefined,
  };
}

/** Fields that depend on whether an attempt landed: what it paid and for what price, or why it reverted. */
type PaidFields = Pick<Written<BoardRow>, 'fee'> & Partial<Written<BoardRow>>;

function landedFields({ row, quoteAmount, fee }: LandedAttempt): PaidFields {
  const sol = row.quote_mint === '';
  return {
    fee: String(fee),
    fee_mint: row.fee_in_token ? row.mint : undefined,
    price: swapPrice(row),
    sol: sol ? Number(quoteAmount) / LAMPORTS_PER_SOL : undefined,
    quote_mint: row.quote_mint || undefined,
    quote_amount: sol ? undefined : String(quoteAmount),
    ...(sol ? {} : quoteUnit(row.quote_mint, knownQuoteDecimals(row))),
    bundled: answerOf(row.bundled),
  };
}

function revertedFields({ row }: Exclude<RaceAttempt, LandedAttempt>): PaidFields {
  return { fee: String(row.network_fee), why: row.why || undefined, bundled: false };
}

/** The contract that aborted, else the router, which is told since the day it was first recorded. */
function programFields(attempt: RaceAttempt): Pick<Written<BoardRow>, 'program' | 'program_name'> {
  const { router, time } = attempt.row;
  const aborted = attempt.outcome === 'self_abort' ? attempt.row.program : '';
  const program = aborted || router;
  if (program === '') return {};
  return {
    program: aborted === '' && time < ROUTER_SINCE ? undefined : program,
    program_name: routerName(program),
  };
}
