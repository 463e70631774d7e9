import type { Address } from '../../chain/address.ts';
import { isListed, type StrayPayment } from '../../facts/stray-payments.ts';
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
  readonly rank: number;
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

/** Accounts watched at a time, some 0.4 KB each. */
const MAX_WATCHED = 1_000;
/** Two weeks at the pace of the chain: whoever is not paid for so long is watched no more. */
const FORGOTTEN_SLOTS = 3_000_000;
/** An account is a candidate from so many different payers, traded tokens, and payments on. */
export const MIN_PAYERS = 20;
export const MIN_TOKENS = 5;
const MIN_PAYMENTS = 50;

type Watched = { -readonly [K in keyof WatchedAccount]: WatchedAccount[K] };

/**
 * Watches who is paid beside trades, in bounded memory. The account with the fewest payers makes room for a new one,
 * which starts from that number (the space-saving sketch), so that an account that many pay is never lost. Only a
 * payer who was not seen paying an account before counts for its rank: whoever pays one account a million times keeps
 * it as low as one payment does.
 */
export function createTipCandidates(kept: readonly WatchedAccount[] = []): TipCandidates {
  const watched = new Map<Address, Watched>();
  for (const account of kept.slice(0, MAX_WATCHED)) {
    if (!isListed(account.wallet)) watched.set(account.wallet, { ...account });
  }
  let payments = 0;
  let newest = Math.max(0, ...[...watched.values()].map(({ lastSlot }) => lastSlot));

  function place(wallet: Address, slot: number): Watched {
    const known = watched.get(wallet);
    if (known !== undefined) return known;
    const rank = watched.size < MAX_WATCHED ? 0 : makeRoom();
    const account = {
      ...{ wallet, rank, payments: 0, lamports: 0n, firstSlot: slot, lastSlot: slot },
      ...{ payers: createSpread(), tokens: createSpread() },
    };
    watched.set(wallet, account);
    return account;
  }

  /** Forgets whoever is least; gives the rank that it had. */
  function makeRoom(): number {
    let least: Watched | undefined;
    for (const account of watched.values()) {
      if (isForgotten(account, newest)) {
        watched.delete(account.wallet);
        return 0;
      }
      if (least === undefined || account.rank < least.rank) least = account;
    }
    if (least === undefined) return 0;
    watched.delete(least.wallet);
    return least.rank;
  }

  return {
    add(slot, found) {
      newest = Math.max(newest, slot);
      for (const { wallet, payer, mint, lamports } of found) {
        const account = place(wallet, slot);
        payments += 1;
        account.payments += 1;
        account.lamports += lamports;
        account.lastSlot = Math.max(account.lastSlot, slot);
        if (account.payers.add(payer)) account.rank += 1;
        account.tokens.add(mint);
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

export function candidateOf({ payers, tokens, rank: _rank, ...account }: WatchedAccount): TipCandidate {
  return { ...account, payers: payers.count, tokens: tokens.count };
}

function isForgotten({ lastSlot }: WatchedAccount, newest: number): boolean {
  return newest - lastSlot > FORGOTTEN_SLOTS;
}
