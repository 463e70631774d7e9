import { quoteJson } from '../../books/json-text.ts';
import type { Address } from '../../chain/address.ts';
import { encodeSignature } from '../../chain/keys/base58.ts';
import { AMM, BONDING_CURVE } from '../../facts/venue.ts';
import { routerName, tipProvider } from '../../programs/registry/index.ts';
import { BUDGET_OF_INSTRUCTIONS, BUNDLED, BUNDLED_UNKNOWN } from '../../store/clickhouse/schema/codes.ts';
import type { TokenCreationRow } from '../../store/clickhouse/schema/tables.ts';
import { knownQuoteDecimals, quoteUnitFields, ROUTER_SINCE, swapPrice } from '../../token/row-json.ts';
import type { TokenState } from '../../token/state.ts';
import { BOARD_SIZE } from './contract-limits.ts';
import { isLanded, type LandedAttempt, type LaunchRace, type RaceAttempt, type RaceSlot } from './race-rules.ts';

const LAMPORTS_PER_SOL = 1e9;

export interface RaceFrame {
  readonly mint: Address;
  readonly creation: TokenCreationRow;
  readonly slots: number;
  /** False when more happened in these slots than was read. */
  readonly whole: boolean;
}

export function raceBody({ mint, creation, slots, whole }: RaceFrame, race: LaunchRace): Buffer {
  const { revertedKnown } = race;
  const board = boardOf(race);
  const omitted = race.attempts.length - board.length;
  const partial = !whole || !revertedKnown || creation.partial || race.attempts.some(({ row }) => row.partial);
  return Buffer.from(
    `{"mint":"${mint}","symbol":${quoteJson(creation.symbol)}` +
      `,"created_slot":${creation.slot},"created_block_index":${creation.block_index},"slots":${slots}` +
      (revertedKnown ? `,"attempts":${race.attempts.length}` : '') +
      `,"landed":${race.landed}` +
      (revertedKnown ? `,"contenders":${race.contenders}` : '') +
      (race.winner === undefined ? '' : `,"winner":"${race.winner.wallet}"`) +
      `,"winner_cu_price":"${race.winnerCuPrice}","winner_bid_known":${race.winnerBidKnown}` +
      (race.losingCuPriceMax === undefined ? '' : `,"losing_cu_price_max":"${race.losingCuPriceMax}"`) +
      (revertedKnown ? `,"self_aborts":${race.selfAborts},"unknown_outcome":${race.unknownOutcome}` : '') +
      (race.bundleSize === undefined ? '' : `,"bundle_size":${race.bundleSize}`) +
      `,"headline":${quoteJson(race.headline)}` +
      `,"by_slot":[${race.bySlot.map((slot) => slotJson(slot, revertedKnown)).join(',')}]` +
      `,"board":[${board.map((attempt) => attemptJson(attempt, race.winner)).join(',')}]` +
      (omitted === 0 ? '' : `,"board_omitted":${omitted}`) +
      (partial ? ',"partial":true}' : '}'),
  );
}

/** The answer of a token whose creation nobody saw: when the race was is not known, nor who the creator is. */
export function unknownRaceBody({ mint, hydrated }: Pick<TokenState, 'mint' | 'hydrated'>, slots: number): Buffer {
  return Buffer.from(
    `{"mint":"${mint}"${hydrated?.named === true ? `,"symbol":${quoteJson(hydrated.symbol)}` : ''}` +
      `,"slots":${slots},"winner_cu_price":"0","winner_bid_known":false` +
      ',"headline":"The creation of this token was not seen, so there is no race to tell."' +
      ',"by_slot":[],"board":[],"partial":true}',
  );
}

/** The first to arrive, and the winner in the last place when it came after all of them. */
function boardOf({ attempts, winner }: LaunchRace): readonly RaceAttempt[] {
  const board = attempts.slice(0, BOARD_SIZE);
  if (winner !== undefined && !board.includes(winner)) board[BOARD_SIZE - 1] = winner;
  return board;
}

function slotJson(slot: RaceSlot, revertedKnown: boolean): string {
  const { slotsAfterCreation, attempts, landed, wallets, medianTip } = slot;
  return (
    `{"slots_after_creation":${slotsAfterCreation}` +
    (revertedKnown
      ? `,"attempts":${attempts},"landed":${landed},"wallets":${wallets},"median_tip":"${medianTip}"}`
      : `,"landed":${landed}}`)
  );
}

function attemptJson(attempt: RaceAttempt, winner: LandedAttempt | undefined): string {
  const { row, outcome, wallet, isDev, slotsAfterCreation } = attempt;
  const provider = row.tip_wallet === '' ? undefined : tipProvider(row.tip_wallet);
  return (
    `{"wallet":"${wallet}","slots_after_creation":${slotsAfterCreation},"block_index":${row.block_index}` +
    `,"outcome":"${outcome}"` +
    (isDev ? ',"dev":true' : '') +
    (attempt === winner ? ',"first_outside":true' : '') +
    budgetFields(row) +
    `,"tip":"${row.tip}"` +
    (provider === undefined ? '' : `,"provider":${quoteJson(provider)}`) +
    (isLanded(attempt) ? landedFields(attempt) : revertedFields(attempt)) +
    programFields(attempt) +
    `,"sig":"${encodeSignature(row.signature)}"` +
    (row.partial ? ',"partial":true}' : '}')
  );
}

/** As on swap rows: only the curve's carry the compute budget, elsewhere 0 means not measured. */
function budgetFields(row: RaceAttempt['row']): string {
  if (row.venue !== BONDING_CURVE) return ',"cu_price":"0","cu_limit":"0","priority_fee":"0"';
  return (
    `,"cu_price":"${row.cu_price}","cu_limit":"${row.cu_limit}","priority_fee":"${row.priority_fee}"` +
    (row.budget_source === BUDGET_OF_INSTRUCTIONS ? '' : `,"budget_source":${row.budget_source}`)
  );
}

function landedFields({ row, quoteAmount, fee }: LandedAttempt): string {
  const sol = row.quote_mint === '';
  // On the AMM, fees of pools quoted in another token are not given, and read 0 as on swap rows.
  const fees = sol || row.venue !== AMM;
  const price = swapPrice(row);
  return (
    `,"fee":"${fees ? fee : 0n}"` +
    (fees && row.fee_in_token ? `,"fee_mint":"${row.mint}"` : '') +
    (price === undefined ? '' : `,"price":"${price}"`) +
    (sol
      ? `,"sol":${Number(quoteAmount) / LAMPORTS_PER_SOL}`
      : `,"quote_mint":"${row.quote_mint}","quote_amount":"${quoteAmount}"` +
        quoteUnitFields(row.quote_mint, knownQuoteDecimals(row))) +
    (row.bundled === BUNDLED_UNKNOWN ? '' : `,"bundled":${row.bundled === BUNDLED}`)
  );
}

function revertedFields({ row }: Exclude<RaceAttempt, LandedAttempt>): string {
  return `,"fee":"${row.network_fee}"${row.why === '' ? '' : `,"why":${quoteJson(row.why)}`},"bundled":false`;
}

/** The contract that aborted, else the router, which is told since the day it was first recorded. */
function programFields(attempt: RaceAttempt): string {
  const { router, time } = attempt.row;
  const aborted = attempt.outcome === 'self_abort' ? attempt.row.program : '';
  const program = aborted || router;
  if (program === '') return '';
  const name = routerName(program);
  return (
    (aborted === '' && time < ROUTER_SINCE ? '' : `,"program":"${program}"`) +
    (name === undefined ? '' : `,"program_name":${quoteJson(name)}`)
  );
}
