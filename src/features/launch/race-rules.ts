import type { Address } from '../../chain/address.ts';
import { BASE_FEE_PER_SIGNATURE } from '../../chain/compute-budget.ts';
import { BONDING_CURVE } from '../../facts/venue.ts';
import { BUDGET_UNAVAILABLE, BUNDLED, BUNDLED_UNKNOWN, outcomeOf, SELL } from '../../store/clickhouse/schema/codes.ts';
import type { AttemptRow, SwapRow, TokenCreationRow } from '../../store/clickhouse/schema/tables.ts';
import { raceHeadline } from './race-headline.ts';

export interface RaceRows {
  readonly creation: TokenCreationRow;
  /** Every swap of the mint from the creation on, in order of place; what lies past the race's end is left out. */
  readonly swaps: readonly SwapRow[];
  /** Every reverted attempt from the creation's slot on, in order of place; undefined where they are not kept any more. */
  readonly attempts: readonly AttemptRow[] | undefined;
  /** Slots that the race lasts, the creation's first. */
  readonly slots: number;
  /** False when something may have happened in these slots that is not in the rows. */
  readonly whole: boolean;
}

/** A transaction that bought. */
export interface LandedAttempt {
  readonly outcome: 'won' | 'dev_buy' | 'landed';
  /** Of its first buy. */
  readonly wallet: Address;
  /** The creator's hand: the creator bought in it, or paid its fee. */
  readonly isDev: boolean;
  /** Somebody other than the creator bought in it. */
  readonly hasOthers: boolean;
  readonly slotsAfterCreation: number;
  /** Its first buy, which tells of the whole transaction. */
  readonly row: SwapRow;
  /** Of all its buys in that one's quote: raw quote units, net of fees. */
  readonly quoteAmount: bigint;
  /** The protocol's fee on them, in the unit of the first one's. */
  readonly fee: bigint;
}

/** A transaction that tried to buy and reverted. */
export interface RevertedAttempt {
  readonly outcome: 'rejected' | 'self_abort' | 'failed_unknown';
  readonly wallet: Address;
  /** The creator's hand: the creator tried, or paid the fee. */
  readonly isDev: boolean;
  readonly slotsAfterCreation: number;
  readonly row: AttemptRow;
}

export type RaceAttempt = LandedAttempt | RevertedAttempt;

export interface RaceSlot {
  readonly slotsAfterCreation: number;
  readonly attempts: number;
  readonly landed: number;
  readonly wallets: number;
  /** Paid by those that landed, 0 where none did. Lamports, as all medians: the mean of the middle two rounded down. */
  readonly medianTip: bigint;
  /** Of all attempts, of reverted ones what their payers had; undefined while that is not known of all. */
  readonly medianTipDeclared: bigint | undefined;
  /** False when more may have happened in it than is known: counts are then the least that they can be. */
  readonly whole: boolean;
}

export interface LaunchRace {
  /** In order of arrival. */
  readonly attempts: readonly RaceAttempt[];
  /** False when more may have happened than is known: then every figure is the least that it can be. */
  readonly whole: boolean;
  /** False when `attempts`, and every figure over them, is of those that landed alone. */
  readonly revertedKnown: boolean;
  /** The creator's among them. */
  readonly landed: number;
  /** Wallets that tried by another hand than the creator's. */
  readonly contenders: number;
  /** The first in that is not the creator's hand. */
  readonly winner: LandedAttempt | undefined;
  /** Micro-lamports a compute unit; 0 without a winner, and while the winner's bid is not known. */
  readonly winnerCuPrice: bigint;
  readonly winnerBidKnown: boolean;
  /** Price of the known bid by another hand than the creator's that a venue turned down and that paid most all the same; undefined when none is known. */
  readonly losingCuPriceMax: bigint | undefined;
  readonly selfAborts: number;
  readonly unknownOutcome: number;
  /** Bundled attempts of the creation's slot; 0 when nobody but the creator bought in them, undefined while not all have known neighbours. */
  readonly bundleSize: number | undefined;
  /** Slots with attempts, in order. */
  readonly bySlot: readonly RaceSlot[];
  readonly headline: string;
}

/** Attempts to buy a token in the slots behind its creation, in order of arrival, and what came of them. */
export function runRace(rows: RaceRows): LaunchRace {
  const { creation, slots } = rows;
  const attempts = arrivals(rows);
  const landed = attempts.filter(isLanded);
  const winner = landed.find(({ outcome }) => outcome === 'won');
  const count = (outcome: RaceAttempt['outcome']) => attempts.filter((each) => each.outcome === outcome).length;
  const race = {
    attempts,
    whole: rows.whole && !creation.partial && attempts.every(({ row }) => !row.partial),
    revertedKnown: rows.attempts !== undefined,
    landed: landed.length,
    contenders: new Set(attempts.filter(({ isDev }) => !isDev).map(({ wallet }) => wallet)).size,
    winner,
    winnerCuPrice: winner !== undefined && isBidKnown(winner) ? winner.row.cu_price : 0n,
    winnerBidKnown: winner === undefined || isBidKnown(winner),
    losingCuPriceMax: priceOfDearest(attempts.filter(isOutsidersRejected)),
    selfAborts: count('self_abort'),
    unknownOutcome: count('failed_unknown'),
    bundleSize: bundleSize(landed.filter(({ row }) => row.slot === creation.slot)),
    bySlot: countSlots(attempts, rows),
  };
  return { ...race, headline: raceHeadline(race, slots) };
}

export function isLanded(attempt: RaceAttempt): attempt is LandedAttempt {
  return attempt.outcome === 'won' || attempt.outcome === 'dev_buy' || attempt.outcome === 'landed';
}

/** False where the compute budget was not available, or is not measured: then `cu_price` reads 0 and says nothing. */
export function isBidKnown({ row }: RaceAttempt): boolean {
  return row.venue === BONDING_CURVE && row.budget_source !== BUDGET_UNAVAILABLE;
}

/** Attempts in true order of arrival, one for each transaction. */
function arrivals({ creation, swaps, attempts = [], slots }: RaceRows): RaceAttempt[] {
  const creator = creation.creator;
  const isInside = ({ slot }: { readonly slot: number }) => slot >= creation.slot && slot < creation.slot + slots;
  const isCreator = (wallet: Address) => creator !== '' && wallet === creator;
  let isWon = false;
  const landed = buysByTransaction(swaps.filter(isInside)).map((buys): LandedAttempt => {
    const [row] = buys;
    const isDev = isCreator(row.fee_payer) || buys.some(({ trader }) => isCreator(trader));
    const hasOthers = buys.some(({ trader }) => !isCreator(trader));
    const outcome = isDev ? 'dev_buy' : isWon ? 'landed' : 'won';
    isWon ||= !isDev;
    const { quoteAmount, fee } = sums(buys);
    return {
      outcome,
      wallet: row.trader,
      isDev,
      hasOthers,
      slotsAfterCreation: row.slot - creation.slot,
      row,
      quoteAmount,
      fee,
    };
  });
  const reverted = attempts
    .filter((row) => row.side !== SELL && isInside(row))
    .map((row): RevertedAttempt => {
      const outcome = outcomeOf(row.outcome);
      const isDev = isCreator(row.fee_payer) || isCreator(row.trader);
      return { outcome, wallet: row.trader, isDev, slotsAfterCreation: row.slot - creation.slot, row };
    });
  return [...landed, ...reverted].sort(
    ({ row: a }, { row: b }) => a.slot - b.slot || a.block_index - b.block_index || a.ix_index - b.ix_index,
  );
}

type Buys = [SwapRow, ...SwapRow[]];

/** Buys that the protocol's own wallets did not make, by transaction, in order. */
function buysByTransaction(swaps: readonly SwapRow[]): Buys[] {
  const transactions: Buys[] = [];
  for (const swap of swaps) {
    if (!swap.is_buy || swap.protocol_actor) continue;
    const known = findTransaction(transactions, swap);
    if (known === undefined) transactions.push([swap]);
    else known.push(swap);
  }
  return transactions;
}

/** Places of transactions without their block are provisional, so that two may share one: the signature tells them apart. */
function findTransaction(transactions: readonly Buys[], swap: SwapRow): Buys | undefined {
  for (let i = transactions.length - 1; i >= 0; i -= 1) {
    const [first] = transactions[i]!;
    if (first.slot !== swap.slot || first.block_index !== swap.block_index) return undefined;
    if (Buffer.compare(first.signature, swap.signature) === 0) return transactions[i];
  }
  return undefined;
}

function sums(buys: Buys): Pick<LandedAttempt, 'quoteAmount' | 'fee'> {
  const [first] = buys;
  const alike = buys.filter((buy) => buy.quote_mint === first.quote_mint && buy.fee_in_token === first.fee_in_token);
  return {
    quoteAmount: alike.reduce((sum, { quote_amount }) => sum + quote_amount, 0n),
    fee: alike.reduce((sum, { fee }) => sum + fee, 0n),
  };
}

/** True for bids against the winner's: the creator's hand races with nobody. */
function isOutsidersRejected(attempt: RaceAttempt): attempt is RevertedAttempt {
  return attempt.outcome === 'rejected' && !attempt.isDev;
}

/** A price says little by itself: what was paid is the price of all units that were asked for. The higher of equals. */
function priceOfDearest(attempts: readonly RevertedAttempt[]): bigint | undefined {
  let dearest: RevertedAttempt | undefined;
  for (const attempt of attempts) {
    if (!isBidKnown(attempt)) continue;
    const more = dearest === undefined ? 1n : paidBeyondSignatures(attempt) - paidBeyondSignatures(dearest);
    if (more > 0n || (more === 0n && attempt.row.cu_price > (dearest?.row.cu_price ?? 0n))) dearest = attempt;
  }
  return dearest?.row.cu_price;
}

/** Lamports. Of an older row, which does not tell how many signed, at most what it paid beyond one signature. */
function paidBeyondSignatures({ row }: RevertedAttempt): bigint {
  return row.network_fee - BASE_FEE_PER_SIGNATURE * BigInt(Math.max(1, row.signatures));
}

/** `bundled` was decided against everything that landed, which the attempts are only a part of. */
function bundleSize(landed: readonly LandedAttempt[]): number | undefined {
  if (landed.some(({ row }) => row.bundled === BUNDLED_UNKNOWN)) return undefined;
  const bundled = landed.filter(({ row }) => row.bundled === BUNDLED);
  return bundled.some(({ hasOthers }) => hasOthers) ? bundled.length : 0;
}

function countSlots(attempts: readonly RaceAttempt[], { creation, whole }: RaceRows): RaceSlot[] {
  const slots = new Map<number, RaceAttempt[]>();
  for (const attempt of attempts) {
    const known = slots.get(attempt.slotsAfterCreation);
    if (known === undefined) slots.set(attempt.slotsAfterCreation, [attempt]);
    else known.push(attempt);
  }
  return Array.from(slots, ([slotsAfterCreation, inside]) => ({
    slotsAfterCreation,
    attempts: inside.length,
    landed: inside.filter(isLanded).length,
    wallets: new Set(inside.map(({ wallet }) => wallet)).size,
    medianTip: median(inside.filter(isLanded).map(({ row }) => row.tip)),
    medianTipDeclared: medianOfDeclared(inside),
    whole: whole && inside.every(({ row }) => !row.partial) && !(creation.partial && slotsAfterCreation === 0),
  }));
}

/** Tips that revert are paid by nobody, so anything can be declared: it counts as far as it could have been paid. */
function medianOfDeclared(attempts: readonly RaceAttempt[]): bigint | undefined {
  const tips: bigint[] = [];
  for (const attempt of attempts) {
    if (isLanded(attempt)) tips.push(attempt.row.tip);
    else if (attempt.row.signatures === 0) return undefined;
    else tips.push(attempt.row.tip_payable);
  }
  return median(tips);
}

function median(values: readonly bigint[]): bigint {
  const sorted = [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0n;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0n) + upper) / 2n;
}
