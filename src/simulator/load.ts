/** Mean rates a second of simulated chain. */
export interface Load {
  readonly votes: number;
  readonly creations: number;
  readonly trades: number;
  /** Share of the trades that revert. */
  readonly revertedShare: number;
  readonly tokenTransfers: number;
  readonly fundings: number;
  readonly equitySwaps: number;
  /** Transactions that no fact tells anything about. */
  readonly background: number;
  /** Schemes a second: bundles, relays, airdrops, wash rounds and the like, each several transactions. */
  readonly schemes: number;
  /** Of them no part: hand-outs that look like trades, and trades that end on a market which tells nothing. */
  readonly hiddenHandouts: number;
  readonly marketHops: number;
  /** Hand-outs by crumbs of many purchases; none unless a chain asks for them. */
  readonly hiddenCrumbs: number;
  /** Relay chains that crumbs and decoys cover; none unless a chain asks for them. */
  readonly coveredRelays: number;
  /** Tries to name a price for an equity; none unless a chain asks for them. */
  readonly priceWashes: number;
  /** Ordinary traders; the first ones trade most. */
  readonly traders: number;
  /** Coins that anybody still trades. */
  readonly liveCoins: number;
}

/**
 * Mainnet in autumn 2026 at five slots a second: 3,500 transactions beside votes,
 * 1,150 of them touching launchpad or AMM, half of those reverted, 1,000 token
 * transfers, 300 fundings. The rates are what makes these come out over a chain's
 * first minute: not every trade finds something to sell, and schemes add theirs.
 */
const MAINNET: Load = {
  votes: 4_000,
  creations: 1,
  trades: 1_106,
  revertedShare: 0.524,
  tokenTransfers: 1_172,
  fundings: 248,
  equitySwaps: 6,
  background: 936,
  schemes: 12,
  hiddenHandouts: 1.5,
  marketHops: 6,
  hiddenCrumbs: 0,
  coveredRelays: 0,
  priceWashes: 0,
  traders: 30_000,
  liveCoins: 600,
};

/**
 * Share of the full load that a shared desktop core makes on the side; see docs/simulator.md for the measured share.
 */
const DESK_SCALE = 1 / 30;

/** The same mix with every rate multiplied; populations shrink with the square root, so that coins keep their crowds. */
export function scaleLoad(load: Load, scale: number): Load {
  const root = Math.sqrt(scale);
  return {
    votes: load.votes * scale,
    creations: load.creations * scale,
    trades: load.trades * scale,
    revertedShare: load.revertedShare,
    tokenTransfers: load.tokenTransfers * scale,
    fundings: load.fundings * scale,
    equitySwaps: load.equitySwaps * scale,
    background: load.background * scale,
    schemes: load.schemes * scale,
    hiddenHandouts: load.hiddenHandouts * scale,
    marketHops: load.marketHops * scale,
    hiddenCrumbs: load.hiddenCrumbs * scale,
    coveredRelays: load.coveredRelays * scale,
    priceWashes: load.priceWashes * scale,
    traders: Math.ceil(load.traders * root),
    liveCoins: Math.ceil(load.liveCoins * root),
  };
}

export type LoadName = 'mainnet' | 'desk';

export const LOADS: Readonly<Record<LoadName, Load>> = {
  mainnet: MAINNET,
  // More launches, schemes and equity swaps than a plain scale gives: there must be something to look at.
  desk: { ...scaleLoad(MAINNET, DESK_SCALE), creations: 0.25, schemes: 0.8, hiddenHandouts: 0.1, equitySwaps: 0.5 },
};
