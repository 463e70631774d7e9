import type { Address } from '../../chain/address.ts';
import { groupBy } from './group-by.ts';
import type { SendRow } from './made-holder-rules.ts';

/** Platforms that take a share of a trade in its tokens, and referrers who get a part of it. docs/research.md, "Sends". */

/** Somebody is one whom so many customers feed inside trades: each counts once, divided among all whom it feeds so. */
export const PLATFORM_CUSTOMERS = 5;
/** A customer gives somebody so many percent at most of what it traded of the token. */
export const SHARE_PCT = 2n;

/** Raw units of the token that wallets bought and sold together. */
export type TradedTokens = ReadonlyMap<Address | '', bigint>;

/** True when enough wallets fed somebody that what they traded has to be looked up. */
export function mayFeedPlatforms(rows: readonly SendRow[]): boolean {
  const fed = groupBy(
    rows.filter(({ hidden }) => hidden),
    ({ receiver }) => receiver,
  );
  return [...fed.values()].some((got) => new Set(got.map(({ sender }) => sender)).size >= PLATFORM_CUSTOMERS);
}

/**
 * Sends without the shares that platforms took. A platform is fed by many who really trade, a mule by one hand or two:
 * a hand that would pass its receivers for platforms needs as many trading wallets for each of them. Who sends the
 * token on is none, and what a customer gives beyond a share stays.
 */
export function withoutShares<R extends SendRow>(rows: readonly R[], traded: TradedTokens): readonly R[] {
  const inside = rows.filter(({ hidden }) => hidden);
  const givers = new Set<Address | ''>(rows.map(({ sender }) => sender));
  const shares = new Set<string>();
  const customers = new Map<Address | '', number>();
  for (const [sender, sent] of groupBy(inside, (row) => row.sender)) {
    const fed = groupBy(sent, ({ receiver }) => receiver);
    for (const [receiver, got] of fed) {
      if (!isShare(got, traded.get(sender) ?? 0n)) continue;
      shares.add(edgeOf(got[0]!));
      customers.set(receiver, (customers.get(receiver) ?? 0) + 1 / fed.size);
    }
  }
  const isPlatform = (wallet: Address | '') =>
    !givers.has(wallet) && Math.round((customers.get(wallet) ?? 0) * PRECISION) >= PLATFORM_CUSTOMERS * PRECISION;
  return rows.filter((row) => !row.hidden || !shares.has(edgeOf(row)) || !isPlatform(row.receiver));
}

/** Fractions of customers add up to whole ones but for the last digits. */
const PRECISION = 1e6;

function edgeOf({ sender, receiver }: SendRow): string {
  return `${sender} ${receiver}`;
}

function isShare(sent: readonly SendRow[], traded: bigint): boolean {
  return sent.reduce((sum, { amount }) => sum + amount, 0n) * 100n <= traded * SHARE_PCT;
}
