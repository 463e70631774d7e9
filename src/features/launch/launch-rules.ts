import type { Address } from '../../chain/address.ts';
import type { SwapRow, TokenCreationRow } from '../../store/clickhouse/schema/tables.ts';
import { supplyPct } from '../../token/supply.ts';

export interface LaunchRows {
  readonly mint: Address;
  /** Undefined while nobody saw it: who the creator is is then not known, nor whether the first swaps are the launch's. */
  readonly creation: TokenCreationRow | undefined;
  /** Raw units that shares are taken of; undefined while not known. */
  readonly supply: bigint | undefined;
  /** The first swaps from the creation on, in order of place, whole transactions or not. */
  readonly swaps: readonly SwapRow[];
  /** Number of swaps to tell of; those behind them only show who stands beside the last. All when left out. */
  readonly limit?: number;
  /** True for wallets of whom some were paid for by one hand; nothing is said of it where that was not looked up. */
  readonly haveOneFunder?: (wallets: readonly Address[]) => boolean;
}

/**
 * What speaks for one hand behind the buyers of a bundle, the strongest first: some bought in one transaction, one
 * wallet paid the fees of several, one funded several, or nothing but that they stand next to each other.
 */
export type BundleEvidence = 'one_transaction' | 'one_payer' | 'one_funder' | 'adjacent';

/** Transactions of one slot without a gap between them, or a transaction that stands alone. */
export interface LaunchBundle {
  readonly slot: number;
  /** Place in the block of the first one. */
  readonly startIndex: number;
  /** Transactions: the legs of one count once. */
  readonly size: number;
  /** Two wallets or more bought in it, the creator counted and the protocol's own not. */
  readonly isBundle: boolean;
  /** Undefined where it is no bundle. */
  readonly evidence: BundleEvidence | undefined;
  /** The creator bought in it. */
  readonly hasDev: boolean;
  /** Its transactions came without their block: whether they have neighbours is not known. */
  readonly partial: boolean;
  /** Wallets that bought in it, in order of their first buy, without the protocol's own wallets. */
  readonly wallets: readonly Address[];
  /** Lamports that those wallets paid, net of fees; what was paid in another quote is not in it. */
  readonly solTotal: bigint;
  /** Raw units that those wallets bought. */
  readonly tokensBought: bigint;
  /** Of the supply, with two decimals; undefined while the supply is not known. */
  readonly pctSupply: number | undefined;
  /** Everything that was swapped in it. */
  readonly swaps: readonly SwapRow[];
}

export interface LaunchAnalysis {
  readonly creator: Address | undefined;
  /** Of the supply, bought in bundles; undefined while the supply, or who stands beside some of the swaps, is not known. */
  readonly bundledPctSupply: number | undefined;
  /** The part of it in bundles in which the creator bought; undefined also while the creator is not known. */
  readonly devBundlePctSupply: number | undefined;
  /** Number of `bundles` that are bundles; undefined while that is not known of all. */
  readonly bundleCount: number | undefined;
  /** Every swap belongs to one of them, in order. */
  readonly bundles: readonly LaunchBundle[];
}

/** Groups a launch's first swaps by the transactions that landed next to each other. */
export function analyseLaunch(rows: LaunchRows): LaunchAnalysis {
  const { creation, supply, swaps, limit = swaps.length } = rows;
  const creator = creation === undefined || creation.creator === '' ? undefined : creation.creator;
  const bundles: LaunchBundle[] = [];
  let told = 0;
  for (const run of runsOf(swaps)) {
    if (told >= limit) break;
    bundles.push(describeRun(run, limit - told, creator, rows));
    told += run.length;
  }
  const real = bundles.filter(({ isBundle }) => isBundle);
  const isKnown = bundles.every(({ partial }) => !partial);
  const share = (some: readonly LaunchBundle[]) => {
    const tokens = some.reduce((sum, { tokensBought }) => sum + tokensBought, 0n);
    return supply === undefined || !isKnown ? undefined : supplyPct(tokens, supply);
  };
  return {
    creator,
    bundledPctSupply: share(real),
    devBundlePctSupply: creator === undefined ? undefined : share(real.filter(({ hasDev }) => hasDev)),
    bundleCount: isKnown ? real.length : undefined,
    bundles,
  };
}

/** Swaps in runs: a swap belongs to the run before it when it is of the same transaction or of the one right behind. */
function runsOf(swaps: readonly SwapRow[]): SwapRow[][] {
  const runs: SwapRow[][] = [];
  let last: SwapRow | undefined;
  for (const swap of swaps) {
    if (last !== undefined && continues(last, swap)) runs.at(-1)?.push(swap);
    else runs.push([swap]);
    last = swap;
  }
  return runs;
}

function continues(last: SwapRow, next: SwapRow): boolean {
  if (isOneTransaction(last, next)) return true;
  // Places of transactions without their block are provisional: next to each other they say nothing.
  return next.slot === last.slot && next.block_index === last.block_index + 1 && !last.partial && !next.partial;
}

function isOneTransaction(a: SwapRow, b: SwapRow): boolean {
  return a.slot === b.slot && a.block_index === b.block_index && Buffer.compare(a.signature, b.signature) === 0;
}

function describeRun(
  run: readonly SwapRow[],
  limit: number,
  creator: Address | undefined,
  { supply, haveOneFunder }: Pick<LaunchRows, 'supply' | 'haveOneFunder'>,
): LaunchBundle {
  const swaps = run.slice(0, limit);
  const [first] = run as readonly [SwapRow, ...SwapRow[]];
  const buys = swaps.filter(isWalletsBuy);
  const wallets = walletsOf(buys);
  const tokensBought = buys.reduce((sum, { token_amount }) => sum + token_amount, 0n);
  const evidence = evidenceOf(run.filter(isWalletsBuy), haveOneFunder);
  const solBuys = buys.filter(({ quote_mint }) => quote_mint === '');
  return {
    slot: first.slot,
    startIndex: first.block_index,
    size: new Set(swaps.map(({ block_index }) => block_index)).size,
    isBundle: evidence !== undefined,
    evidence,
    hasDev: creator !== undefined && wallets.includes(creator),
    partial: swaps.some(({ partial }) => partial),
    wallets,
    solTotal: solBuys.reduce((sum, { quote_amount }) => sum + quote_amount, 0n),
    tokensBought,
    pctSupply: supply === undefined ? undefined : supplyPct(tokensBought, supply),
    swaps,
  };
}

/** Undefined when no two wallets bought. Buys of one run, in order. */
function evidenceOf(
  buys: readonly SwapRow[],
  haveOneFunder: LaunchRows['haveOneFunder'] = () => false,
): BundleEvidence | undefined {
  const wallets = walletsOf(buys);
  if (wallets.length < 2) return undefined;
  const isShared = (alike: (a: SwapRow, b: SwapRow) => boolean) =>
    buys.some((a) => buys.some((b) => a.trader !== b.trader && alike(a, b)));
  if (isShared(isOneTransaction)) return 'one_transaction';
  if (isShared((a, b) => a.fee_payer === b.fee_payer)) return 'one_payer';
  return haveOneFunder(wallets) ? 'one_funder' : 'adjacent';
}

/** A buy of somebody, and not of the protocol. */
function isWalletsBuy({ is_buy, protocol_actor }: SwapRow): boolean {
  return is_buy && !protocol_actor;
}

function walletsOf(buys: readonly SwapRow[]): Address[] {
  return [...new Set(buys.map(({ trader }) => trader as Address))];
}
