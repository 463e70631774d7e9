import type { Address } from '../../src/chain/address.ts';
import type { ComputeBudget } from '../../src/chain/block.ts';
import type { BlockFacts } from '../../src/facts/fact.ts';
import type { LandingConditions } from '../../src/features/fee-market/contract-landing.ts';
import { isProtocolActor } from '../../src/programs/registry/index.ts';
import { timeOf } from './discovery-truth.ts';

/** Landing conditions by going through the transactions of blocks, without a store. */

const SECONDS = { '5m': 300, '1h': 3_600, '24h': 86_400 } as const;
export type LandingWindow = keyof typeof SECONDS;
const SHARES = { p25: 25n, p50: 50n, p75: 75n, p90: 90n, p99: 99n } as const;
const PLACES = 30;

interface Transaction {
  readonly slot: number;
  readonly landed: boolean;
  readonly why: string;
  readonly budget: ComputeBudget;
  readonly tip: bigint;
  readonly mints: Address[];
}

export interface TrueQuestion {
  readonly window: LandingWindow;
  readonly venue: 0 | 1 | 2;
  readonly clientOf: (slot: number) => string;
  /** Blocks that nobody has before this time. */
  readonly since?: number;
  /** False where no failed transaction is told. */
  readonly revertedKnown?: boolean;
}

/** What is to be told of some blocks, in the order of their slots. */
export function trueLanding(
  known: readonly BlockFacts[],
  { window, venue, clientOf, since, revertedKnown = true }: TrueQuestion,
): LandingConditions {
  const now = known.at(-1)!.time;
  const begin = now - SECONDS[window];
  const isByMinute = window !== '5m';
  const from = isByMinute ? begin - (begin % 60) : begin;
  const inside = known.filter(({ time }) => time >= Math.max(from, since ?? 0) && time <= now);
  const created = new Map(known.flatMap((block) => block.created).map(({ mint, slot }) => [mint, slot]));
  const transactions = inside.flatMap((block) => transactionsOf(block, venue));
  const isTried = revertedKnown && venue !== 2;
  const tried = <T>(value: T) => (isTried ? { attempts: value } : {});
  const rate = (of: readonly Transaction[]) =>
    isTried && of.length > 0 ? { land_rate: Number((landedOf(of) / of.length).toFixed(4)) } : {};
  const bids = venue === 0 ? transactions.filter(({ budget }) => budget.source !== 2) : [];
  const shown = (bid: bigint) => String(isByMinute ? threeDigits(bid) : bid);
  const at = (values: readonly bigint[], percent: bigint) => shown(ranked(values, percent));
  const shares = (name: string, values: readonly bigint[]) =>
    values.length === 0
      ? {}
      : { [name]: Object.fromEntries(Object.entries(SHARES).map(([key, percent]) => [key, at(values, percent)])) };
  const placeOf = ({ slot, mints }: Transaction) => {
    const places = mints.flatMap((mint) => (created.has(mint) ? [slot - created.get(mint)!] : []));
    return places.filter((place) => place >= 0 && place < PLACES).toSorted((a, b) => a - b)[0];
  };
  const middle = (name: string, values: readonly bigint[]) => (values.length === 0 ? {} : { [name]: at(values, 50n) });
  const clients = new Map<string, { slots: number; transactions: Transaction[] }>();
  for (const { slot } of inside) {
    const client = clients.get(clientOf(slot)) ?? { slots: 0, transactions: [] };
    clients.set(clientOf(slot), client);
    client.slots += 1;
    client.transactions.push(...transactions.filter((each) => each.slot === slot));
  }
  const text = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return {
    ...{ window, venue, ...tried(transactions.length), landed: landedOf(transactions), ...rate(transactions) },
    ...(isTried ? { reverted_by_why: reasonsOf(transactions) } : {}),
    ...shares(
      'cu_price',
      bids.map(({ budget }) => budget.cuPrice),
    ),
    ...shares(
      'priority_fee',
      bids.map(({ budget }) => budget.priorityFee),
    ),
    ...shares(
      'tip',
      bids.map(({ tip }) => tip),
    ),
    ...(isByMinute && bids.length > 0 ? { bid_digits: 3 } : {}),
    by_slot_offset: Array.from({ length: PLACES }, (_, place) => place).flatMap((place) => {
      const here = transactions.filter((each) => placeOf(each) === place);
      const bidsHere = bids.filter((each) => placeOf(each) === place);
      if (here.length === 0) return [];
      return [
        {
          ...{ slots_after_creation: place, ...tried(here.length), landed: landedOf(here) },
          ...middle(
            'median_cu_price',
            bidsHere.map(({ budget }) => budget.cuPrice),
          ),
          ...middle(
            'median_tip',
            bidsHere.filter(({ landed }) => landed).map(({ tip }) => tip),
          ),
        },
      ];
    }),
    by_client: [...clients]
      .toSorted(([a, { slots }], [b, { slots: more }]) => more - slots || text(a, b))
      .map(([client, { slots, transactions: of }]) => ({ client, slots, ...tried(of.length), ...rate(of) })),
    unknown_budget: venue === 0 ? transactions.length - bids.length : 0,
    unmeasured: venue === 0 ? 0 : transactions.length,
    ...(since !== undefined && since > from ? { since: timeOf(since) } : {}),
  };
}

function transactionsOf({ slot, swaps, attempts }: BlockFacts, venue: number): Transaction[] {
  const found = new Map<number, Transaction>();
  const add = (blockIndex: number, mint: Address, told: Omit<Transaction, 'slot' | 'mints'>) => {
    const transaction = found.get(blockIndex) ?? { slot, mints: [], ...told };
    transaction.mints.push(mint);
    found.set(blockIndex, transaction);
  };
  for (const { blockIndex, mint, budget, tip } of swaps.filter((each) => each.venue === venue && !each.protocolActor))
    add(blockIndex, mint, { landed: true, why: '', budget, tip });
  for (const { blockIndex, mint, budget, tipPayable, why, trader, venue: at } of attempts)
    if (at === venue && !isProtocolActor(trader))
      add(blockIndex, mint, { landed: false, why, budget, tip: tipPayable });
  return [...found.values()];
}

function landedOf(transactions: readonly Transaction[]): number {
  return transactions.filter(({ landed }) => landed).length;
}

function reasonsOf(transactions: readonly Transaction[]) {
  const counts = new Map<string, number>();
  for (const { why } of transactions.filter(({ landed }) => !landed)) counts.set(why, (counts.get(why) ?? 0) + 1);
  return [...counts]
    .toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .slice(0, 20)
    .map(([why, attempts]) => ({ ...(why === '' ? {} : { why }), attempts }));
}

/** The one that so many percent are no higher than. */
function ranked(values: readonly bigint[], percent: bigint): bigint {
  const sorted = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const rank = (percent * BigInt(sorted.length) + 99n) / 100n;
  return sorted[Number(rank) - 1]!;
}

export function threeDigits(bid: bigint): bigint {
  const text = String(bid);
  return BigInt(text.slice(0, 3) + '0'.repeat(Math.max(0, text.length - 3)));
}
