import type { Address } from '../../chain/address.ts';
import { isListed, type StrayPayment } from '../../facts/stray-payments.ts';
import { createPayerBudget } from './payer-budget.ts';
import { createSpread, type Spread } from './spread.ts';

/** An account that is paid beside trades again and again, and that no list names. */
export interface TipCandidate {
  readonly wallet: Address;
  /** Payments since it is watched. */
  readonly payments: number;
  /** Different payers and traded tokens, about: see {@link Spread}. */
  readonly payers: number;
  readonly tokens: number;
  readonly lamports: bigint;
  readonly firstSlot: number;
  readonly lastSlot: number;
}

/** Figures that become metrics. */
export interface CandidateFigures {
  readonly candidates: number;
  /** Payments to accounts that no list names, since the start. */
  readonly payments: number;
}

/** A watched account as it is kept in a file. */
export interface WatchedAccount {
  readonly wallet: Address;
  /** Payers of this day, half of those of the day before, a quarter of those before that, and so on. */
  readonly rank: number;
  /** The day, counted in slots, that the rank is of, and its payers. */
  readonly day: number;
  readonly dayPayers: Spread;
  readonly payments: number;
  readonly lamports: bigint;
  readonly payers: Spread;
  readonly tokens: Spread;
  readonly firstSlot: number;
  readonly lastSlot: number;
}

export interface TipCandidates {
  /** Takes the payments of a block in. */
  add(slot: number, payments: readonly StrayPayment[]): void;
  readonly figures: CandidateFigures;
  /** All accounts that are watched, those with the most payers first. */
  watched(): readonly WatchedAccount[];
}

/** Accounts watched at a time, some 0.6 KB each. */
const MAX_WATCHED = 1_000;
/** Two weeks at the pace of the chain: whoever is not paid for so long is watched no more. */
const FORGOTTEN_SLOTS = 3_000_000;
/** A day at that pace: ranks are halved with each. */
const DAY_SLOTS = 216_000;
/** Different accounts that one payer speaks for in a day: more than a wallet pays with one service and one terminal. */
const ACCOUNTS_OF_PAYER = 32;
/** An account is a candidate from so many different payers, traded tokens, and payments on. */
export const MIN_PAYERS = 20;
export const MIN_TOKENS = 5;
const MIN_PAYMENTS = 50;

type Watched = { -readonly [K in keyof WatchedAccount]: WatchedAccount[K] };

/**
 * Watches who is paid beside trades, in bounded memory. The account with the lowest rank makes room for a new one,
 * which starts from that rank (the space-saving sketch), so that an account that many pay is not lost among many that
 * few pay. Ranks count the payers of a day and are halved with each, so that whoever is paid on and on stays above a
 * flood of accounts that were invented once. A payer speaks for a few accounts a day and once for each: what somebody
 * can push is bounded by the wallets they pay from, however many accounts and payments they make.
 */
export function createTipCandidates(kept: readonly WatchedAccount[] = []): TipCandidates {
  const watched = new Map<Address, Watched>();
  for (const account of kept.slice(0, MAX_WATCHED)) {
    if (!isListed(account.wallet)) watched.set(account.wallet, { ...account });
  }
  const budget = createPayerBudget(ACCOUNTS_OF_PAYER);
  let payments = 0;
  let newest = Math.max(0, ...[...watched.values()].map(({ lastSlot }) => lastSlot));
  let day = dayOf(newest);
  /** Accounts that had the lowest rank when it was looked for: ranks only rise within a day, and new ones begin above. */
  let lowest: Watched[] = [];
  let lowestRank = 0;
  for (const account of watched.values()) age(account, day);

  function advance(slot: number): void {
    newest = Math.max(newest, slot);
    if (dayOf(newest) === day) return;
    day = dayOf(newest);
    budget.renew();
    lowest = [];
    for (const account of watched.values()) age(account, day);
  }

  /** The account that a payer speaks for; undefined when it was too many today. */
  function placeFor({ wallet, payer }: StrayPayment, slot: number): Watched | undefined {
    const known = watched.get(wallet);
    if (known?.dayPayers.has(payer) === true) return known;
    if (!budget.spend(payer)) return undefined;
    const account = known ?? place(wallet, slot);
    account.dayPayers.add(payer);
    account.rank += 1;
    return account;
  }

  function place(wallet: Address, slot: number): Watched {
    const rank = watched.size < MAX_WATCHED ? 0 : makeRoom();
    const account = {
      ...{ wallet, rank, day, dayPayers: createSpread(), payments: 0, lamports: 0n, firstSlot: slot, lastSlot: slot },
      ...{ payers: createSpread(), tokens: createSpread() },
    };
    watched.set(wallet, account);
    return account;
  }

  /** Forgets an account of the lowest rank; gives the rank. */
  function makeRoom(): number {
    for (;;) {
      const account = lowest.pop();
      if (account === undefined) findLowest();
      else if (account.rank === lowestRank && watched.delete(account.wallet)) return lowestRank;
    }
  }

  function findLowest(): void {
    const accounts = [...watched.values()];
    lowestRank = Math.min(...accounts.map(({ rank }) => rank));
    // Those that are watched longest leave first.
    lowest = accounts.filter(({ rank }) => rank === lowestRank).reverse();
  }

  return {
    add(slot, found) {
      advance(slot);
      payments += found.length;
      for (const payment of found) {
        const account = placeFor(payment, slot);
        if (account === undefined) continue;
        account.payments += 1;
        account.lamports += payment.lamports;
        account.lastSlot = Math.max(account.lastSlot, slot);
        account.payers.add(payment.payer);
        account.tokens.add(payment.mint);
      }
    },
    get figures() {
      let candidates = 0;
      for (const account of watched.values()) {
        if (isCandidate(account) && !isForgotten(account, newest)) candidates += 1;
      }
      return { candidates, payments };
    },
    watched: () =>
      [...watched.values()]
        .filter((account) => !isForgotten(account, newest))
        .map((account) => ({ ...account }))
        .sort((a, b) => b.payers.count - a.payers.count || b.payments - a.payments),
  };
}

export function isCandidate({ payers, tokens, payments }: WatchedAccount): boolean {
  return payments >= MIN_PAYMENTS && payers.count >= MIN_PAYERS && tokens.count >= MIN_TOKENS;
}

export function candidateOf(account: WatchedAccount): TipCandidate {
  const { wallet, payments, payers, tokens, lamports, firstSlot, lastSlot } = account;
  return { wallet, payments, payers: payers.count, tokens: tokens.count, lamports, firstSlot, lastSlot };
}

function dayOf(slot: number): number {
  return Math.floor(slot / DAY_SLOTS);
}

/** Halves the rank for each day that has begun since it was made. */
function age(account: Watched, day: number): void {
  if (account.day >= day) return;
  account.rank = Math.floor(account.rank / 2 ** (day - account.day));
  account.day = day;
  account.dayPayers = createSpread();
}

function isForgotten({ lastSlot }: WatchedAccount, newest: number): boolean {
  return newest - lastSlot > FORGOTTEN_SLOTS;
}
