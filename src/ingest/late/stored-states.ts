import type { Address } from '../../chain/address.ts';
import { compareChainPlaces } from '../../chain/place.ts';
import type { PositionState } from '../../facts/average-cost.ts';
import { cutHolding, type HoldingState, walletKey } from '../../facts/holding.ts';
import type { WalletState } from '../../facts/wallet-fold.ts';
import type { IngestStore } from '../ingest-store.ts';
import type { LateSteps } from './late-steps.ts';

type StoredStates = Pick<
  IngestStore,
  'positionsOf' | 'holdingsOf' | 'readKeptSince' | 'removePositions' | 'removeHoldings'
>;

/** Mints that were folded again, up to a slot of which the store has everything. */
export interface FoldedAgain {
  /** By `walletKey`. */
  readonly states: Map<string, WalletState>;
  readonly mints: ReadonlySet<Address>;
  readonly late: LateSteps;
  readonly line: number;
  /** True of wallets that were to be folded: the others are left alone. */
  readonly isAsked: (wallet: Address) => boolean;
  /** Wallets that may be kept or cut at most. */
  readonly maxWallets: number;
}

export interface SettledStates {
  /** Mints of which swaps are missing. */
  readonly partly: ReadonlySet<Address>;
  /** Wallets, by `walletKey`, whose holdings are as they are stored, which may be newer than the line. */
  readonly asStored: ReadonlySet<string>;
}

/**
 * Compares what is stored with what swaps and movements give, up to the line, as some of them may have been let go. Puts
 * into the states what is right in the end, and deletes what stands at places where nothing happened.
 *
 * Of mints of which swaps are missing the positions stay as they are, and only those wallets are in the states that a
 * late step makes unknown. Undefined where more wallets have to be kept or cut than may be: fewer are to be asked for.
 */
export async function settleStored(store: StoredStates, fold: FoldedAgain): Promise<SettledStates | undefined> {
  const { states, late } = fold;
  const { beyondReach, misplaced } = await comparePositions(store, fold);
  if (misplaced.length > 0) await store.removePositions(misplaced.filter(({ mint }) => !beyondReach.has(mint)));
  const holdings = await compareHoldings(store, fold, beyondReach);
  if (holdings === undefined) return undefined;
  if (holdings.misplaced.length > 0) await store.removeHoldings(holdings.misplaced);
  const cut = new Map(holdings.cut.map((holding) => [walletKey(holding), cutHolding(holding)]));
  for (const [key, { mint, holding }] of states) {
    if (!beyondReach.has(mint)) continue;
    // It begins with the late step, out of positions that lack swaps.
    const isNew = holding !== undefined && !holdings.stored.has(key);
    if (isNew && late.touches(mint, key)) cut.set(key, cutHolding(holding));
    states.delete(key);
  }
  for (const holding of holdings.kept) put(states, holding, states.get(walletKey(holding))?.positions ?? []);
  const lacking = await readPositions(store, beyondReach, cut);
  for (const [key, holding] of cut) {
    const positions = beyondReach.has(holding.mint) ? lacking.get(key) : states.get(key)?.positions;
    put(states, holding, positions ?? []);
  }
  return { partly: beyondReach, asStored: new Set([...holdings.kept.map(walletKey), ...cut.keys()]) };
}

function put(states: Map<string, WalletState>, holding: HoldingState, positions: readonly PositionState[]): void {
  const { mint, wallet } = holding;
  states.set(walletKey(holding), { mint, wallet, positions, holding });
}

/**
 * Up to the line both are whole, so a position that knows of more, or of older, trades than there are swaps has lost some
 * of them to retention: its mint is left as it is. A position that stands behind its last swap was folded from a single
 * transaction without its block, at a place that the whole block corrected.
 */
async function comparePositions(store: StoredStates, { states, mints, line, isAsked }: FoldedAgain) {
  const beyondReach = new Set<Address>();
  const misplaced: PositionState[] = [];
  for await (const stored of store.positionsOf([...mints])) {
    for (const position of stored) {
      if (position.firstSlot > line || !isAsked(position.trader)) continue;
      const wallet = states.get(walletKey({ mint: position.mint, wallet: position.trader }));
      const folded = wallet?.positions.find(({ quoteMint }) => quoteMint === position.quoteMint);
      if (folded === undefined || folded.firstSlot > position.firstSlot) beyondReach.add(position.mint);
      else if (position.slot <= line) {
        if (trades(folded) < trades(position)) beyondReach.add(position.mint);
        else if (compareChainPlaces(folded, position) < 0) misplaced.push(position);
      }
    }
  }
  return { beyondReach, misplaced };
}

/**
 * The same of holdings, wallet by wallet. Where movements may have been let go, the stored row is right as long as
 * nothing came late of its wallet, and stays; of others it is cut: what the wallet holds is not known from there on.
 */
async function compareHoldings(store: StoredStates, fold: FoldedAgain, beyondReach: ReadonlySet<Address>) {
  const { states, mints, line, isAsked, maxWallets } = fold;
  const [cut, kept, misplaced]: HoldingState[][] = [[], [], []];
  const stored = new Set<string>();
  const keptSince = await store.readKeptSince();
  for await (const piece of store.holdingsOf([...mints])) {
    for (const holding of piece) {
      if (cut!.length + kept!.length > maxWallets) return undefined;
      if (!isAsked(holding.wallet)) continue;
      const key = walletKey(holding);
      const isTouched = hasLateSteps(fold, holding);
      if (beyondReach.has(holding.mint)) {
        stored.add(key);
        if (isTouched) cut!.push(holding);
        continue;
      }
      if (holding.firstSlot > line) continue;
      const folded = states.get(key)?.holding;
      if (!isTouched && holding.firstTime < keptSince) kept!.push(holding);
      else if (
        folded === undefined ||
        isLost(folded, holding, { line, keptSince, lateMoves: fold.late.moves(holding.mint, key) })
      ) {
        (isTouched ? cut! : kept!).push(holding);
      } else if (holding.slot <= line && compareChainPlaces(folded, holding) < 0) misplaced!.push(holding);
    }
  }
  return { cut: cut!, kept: kept!, misplaced: misplaced!, stored };
}

/**
 * True of a wallet with steps that its stored holding may lack. Where holdings alone are to be folded nothing came late:
 * one that was folded live lacks what moved its wallet before it began, if anything did.
 */
function hasLateSteps({ states, late, line }: FoldedAgain, stored: HoldingState): boolean {
  const key = walletKey(stored);
  if (!late.isOfHoldings(stored.mint)) return late.touches(stored.mint, key);
  const folded = states.get(key)?.holding;
  if (folded === undefined) return false;
  return folded.firstSlot < stored.firstSlot || (stored.slot <= line && folded.moves > stored.moves);
}

/** True where the stored holding is made of movements that the fold has not found. */
function isLost(
  folded: HoldingState,
  stored: HoldingState,
  known: { readonly line: number; readonly keptSince: number; readonly lateMoves: number | undefined },
): boolean {
  if (folded.firstSlot > stored.firstSlot || !stored.whole) return true;
  const isOld = stored.firstTime < known.keptSince;
  // It has moved on since: how many of its movements are newer than the fold is not told.
  if (stored.slot > known.line) return isOld;
  if (SUMS.some((kind) => folded[kind] < stored[kind]) || folded.moves < stored.moves) return true;
  // Late movements would make up for as many that were let go.
  return isOld && folded.moves - (known.lateMoves ?? 0) < stored.moves;
}

/** Of each kind of movement: what one kind gained tells nothing of what another lost. Other kinds have signs. */
const SUMS = ['received', 'sent', 'burnt'] as const;

/** The stored positions of these wallets, by `walletKey`. */
async function readPositions(
  store: StoredStates,
  mints: ReadonlySet<Address>,
  wallets: ReadonlyMap<string, unknown>,
): Promise<ReadonlyMap<string, readonly PositionState[]>> {
  const found = new Map<string, PositionState[]>();
  if (mints.size === 0) return found;
  for await (const piece of store.positionsOf([...mints])) {
    for (const position of piece) {
      const key = walletKey({ mint: position.mint, wallet: position.trader });
      if (wallets.has(key)) found.set(key, [...(found.get(key) ?? []), position]);
    }
  }
  return found;
}

function trades({ buys, sells }: PositionState): number {
  return buys + sells;
}
