import type { Address } from '../../chain/address.ts';
import { isProtocolActor } from '../../programs/registry/index.ts';
import { readHoldingsSince } from '../../token/coverage-reads.ts';
import type { StoreHistory } from '../../token/history.ts';
import { newestSlotOf, untilCommitted } from '../../token/settled.ts';
import { readFoldedMark } from '../../token/stale-reads.ts';
import type { TokenState } from '../../token/state.ts';
import { tokenSupply } from '../../token/supply.ts';
import type { PositionSums } from '../holders/position-reads.ts';
import { askedToken, type HolderSnapshots, snapshotHoldings } from '../holders/snapshot-rules.ts';
import type { TokenBodiesDeps } from './counters.ts';
import { launchWallets } from './followed-wallets.ts';
import { MOST_POSITIONS, readFlows, readPositions, readPositionsOf, readResults } from './intelligence-reads.ts';
import { type Holdings, type LaunchFacts, settleHoldings } from './intelligence-rules.ts';
import { unfoldedResults } from './result-rules.ts';

export interface HoldingsDeps extends Pick<TokenBodiesDeps, 'client' | 'clock' | 'feed' | 'stats'> {
  readonly history: StoreHistory;
  readonly snapshots: HolderSnapshots | undefined;
}

/** Sums over all positions of a token, and the slot up to which they tell of its trades. */
export interface SettledSums {
  readonly sums: PositionSums;
  readonly slot: number;
}

/** Holdings of a token, the slot up to which they go, and whether all of them are known. */
export interface ReadHoldings {
  readonly holdings: Holdings;
  readonly mark: number;
  readonly isWhole: boolean;
}

/**
 * Reads who holds a token: by its positions and moves, or by the chain's accounts where they were read. `from` is the
 * slot that `sums` go to; positions that have moved on since come with a later one.
 */
export async function readSettledHoldings(
  { client, clock, feed, stats, history, snapshots }: HoldingsDeps,
  state: TokenState,
  { sums, slot: from }: SettledSums,
  facts: LaunchFacts,
): Promise<ReadHoldings> {
  const { mint, creation } = state;
  // Holes are filled and positions folded again beside this: what is whole before a read is in it.
  const [wasWhole, foldedMark] = await Promise.all([history.isWhole(creation, from), readFoldedMark(client, mint)]);
  const [venues, positions] = await Promise.all([
    stats.venues(mint),
    sums.wallets > MOST_POSITIONS ? undefined : readPositions(client, mint),
  ]);
  const mark = newestSlotOf(positions ?? [], from);
  await untilCommitted(mark, { feed, clock });
  const isCovered = wasWhole && (await history.isWhole(creation, mark));
  const [flows, folded, foldedSince, holdingsSince] = await Promise.all([
    readFlows(client, mint, mark),
    readResults(client, mint, mark),
    readFoldedMark(client, mint),
    readHoldingsSince(client),
  ]);
  const isBegun = holdingsSince < Number.POSITIVE_INFINITY;
  const results = folded && !isBegun ? unfoldedResults(flows ?? [], folded) : folded;
  const isFolded = foldedMark !== undefined && foldedMark === foldedSince;
  const isRead = positions !== undefined && results !== undefined;
  const isWhole = isCovered && isFolded && isRead && flows !== undefined;
  const left = new Set(venues);
  const rows = {
    supply: tokenSupply(state),
    positions: positions ?? (await readPositionsOf(client, mint, launchWallets(facts))),
    flows: flows ?? [],
    results: results ?? [],
    isWhole,
    onchain: undefined,
    isNobody: (wallet: Address) => left.has(wallet) || isProtocolActor(wallet),
  };
  const holdings = settleHoldings(rows);
  // With more positions or holdings than are read, the results of most holders would not be known; folded out of order they are wrong.
  if (holdings.isTold || !isRead || !isFolded) return { holdings, mark, isWhole };
  const snapshot = snapshots?.find(askedToken(state));
  if (snapshot === undefined) return { holdings, mark, isWhole };
  return { holdings: settleHoldings({ ...rows, onchain: snapshotHoldings(snapshot, venues) }), mark, isWhole };
}
