import type { Address } from '../../chain/address.ts';
import { byMint } from '../../token/by-mint.ts';
import { BUNDLER_TOKENS } from './contract-limits.ts';
import type { BundledTrade } from './report-list-reads.ts';

/** What wallets bought in the bundled transactions of a launch. */
export interface BundledLaunch {
  readonly mint: Address;
  /** Raw units. */
  readonly tokens: bigint;
  /** What was paid in SOL, net of fees. */
  readonly lamports: bigint;
  /** Lamports of each wallet that bought. */
  readonly wallets: ReadonlyMap<Address, bigint>;
}

/**
 * Launches whose creation's slot holds transactions beside each other on the token, two or more, that are not all of its
 * creator or the protocol's own. Rows are those of transactions that have such a neighbour.
 */
export function bundledLaunches(rows: readonly BundledTrade[]): BundledLaunch[] {
  return [...byMint(rows).values()].flatMap((trades) => {
    const told = runsOf(trades).filter(isBundle).flat();
    return told.length === 0 ? [] : [sumOf(told)];
  });
}

/** Trades in runs of transactions without a gap between them. */
function runsOf(trades: readonly BundledTrade[]): BundledTrade[][] {
  const runs: BundledTrade[][] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const trade of trades.toSorted((a, b) => a.block_index - b.block_index)) {
    if (trade.block_index > last + 1) runs.push([]);
    runs.at(-1)!.push(trade);
    last = trade.block_index;
  }
  return runs;
}

function isBundle(run: readonly BundledTrade[]): boolean {
  const transactions = new Set(run.map(({ block_index }) => block_index));
  return (
    transactions.size > 1 && run.some(({ trader, creator, protocol_actor }) => !protocol_actor && trader !== creator)
  );
}

function sumOf(trades: readonly BundledTrade[]): BundledLaunch {
  const wallets = new Map<Address, bigint>();
  let [tokens, lamports] = [0n, 0n];
  for (const trade of trades) {
    if (!trade.is_buy || trade.protocol_actor) continue;
    tokens += trade.tokens;
    lamports += trade.lamports;
    const trader = trade.trader as Address;
    wallets.set(trader, (wallets.get(trader) ?? 0n) + trade.lamports);
  }
  return { mint: trades[0]!.mint as Address, tokens, lamports, wallets };
}

export interface Bundler {
  readonly wallet: Address;
  /** Launches in whose bundle it bought. */
  readonly tokens: number;
  readonly lamports: bigint;
}

/** Wallets that bought in the bundles of several launches: most launches first, then most lamports. */
export function bundlersOf(launches: readonly BundledLaunch[]): Bundler[] {
  const sums = new Map<Address, Bundler>();
  for (const { wallets } of launches) {
    for (const [wallet, lamports] of wallets) {
      const sum = sums.get(wallet);
      sums.set(wallet, { wallet, tokens: (sum?.tokens ?? 0) + 1, lamports: (sum?.lamports ?? 0n) + lamports });
    }
  }
  return [...sums.values()]
    .filter(({ tokens }) => tokens >= BUNDLER_TOKENS)
    .sort((a, b) => b.tokens - a.tokens || compare(b.lamports, a.lamports) || (a.wallet < b.wallet ? -1 : 1));
}

/** Most tokens first: of one supply that is the largest share. */
export function byTokens(launches: readonly BundledLaunch[]): BundledLaunch[] {
  return launches.toSorted((a, b) => compare(b.tokens, a.tokens) || (a.mint < b.mint ? -1 : 1));
}

/** Of shares of different supplies the larger one first. */
export function compareShares(
  a: BundledLaunch & { readonly supply: bigint },
  b: BundledLaunch & { readonly supply: bigint },
): number {
  return compare(b.tokens * a.supply, a.tokens * b.supply) || (a.mint < b.mint ? -1 : 1);
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
