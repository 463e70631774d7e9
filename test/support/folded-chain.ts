import type { Block } from '../../src/chain/block.ts';
import { type PositionState, positionKey } from '../../src/facts/average-cost.ts';
import type { BlockFacts } from '../../src/facts/fact.ts';
import { type HoldingState, walletKey } from '../../src/facts/holding.ts';
import { movementsOf } from '../../src/facts/movements.ts';
import { foldWallets, type WalletState } from '../../src/facts/wallet-fold.ts';

/** Everything that a chain comes to, by key and in its order. */
export interface FoldedChain {
  readonly positions: ReadonlyMap<string, PositionState>;
  readonly holdings: ReadonlyMap<string, HoldingState>;
}

/** Folds the blocks of a chain from its beginning, in order. Mints that are never traded have no holdings. */
export function foldChain(blocks: readonly Block[], derive: (block: Block) => BlockFacts): FoldedChain {
  const facts = blocks.map(derive);
  const traded = new Set(facts.flatMap(({ swaps }) => swaps.map(({ mint }) => mint)));
  const wallets = new Map<string, WalletState>();
  for (const block of facts) {
    const movements = movementsOf(block).filter(({ mint }) => traded.has(mint));
    foldWallets(wallets, block.swaps, movements);
  }
  const states = [...wallets.values()];
  const positions = states.flatMap((state) => state.positions);
  const holdings = states.flatMap(({ holding }) => holding ?? []);
  return sortedChain({
    positions: new Map(positions.map((position) => [positionKey(position), position])),
    holdings: new Map(holdings.map((holding) => [walletKey(holding), holding])),
  });
}

/** The same in order of the keys. */
export function sortedChain({ positions, holdings }: FoldedChain): FoldedChain {
  const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : 1);
  return { positions: new Map([...positions].sort(byKey)), holdings: new Map([...holdings].sort(byKey)) };
}
