import type { Address } from '../chain/address.ts';
import { addressBytes } from '../chain/keys/address-table.ts';
import type { PositionSwap } from './average-cost.ts';
import { compareMovements, type Movement } from './movements.ts';
import { foldWallets, type WalletState } from './wallet-fold.ts';

/** All that is folded of a mint. */
export interface FoldedMint {
  readonly mint: Address;
  /** By `walletKey`. */
  readonly wallets: Map<string, WalletState>;
  /** False of a mint that has movements alone. */
  readonly isTraded: boolean;
}

/**
 * Folds the swaps and the movements of one mint after the other. Both come in pieces, by mint in the order of bytes
 * and by place, and no piece ends within a slot. A mint may have movements alone, where its swaps are still to come.
 * Wallets of one mint are held, swaps are not.
 */
export async function* foldMints(
  swaps: AsyncIterable<readonly PositionSwap[]>,
  movements: AsyncIterable<readonly Movement[]>,
): AsyncGenerator<FoldedMint> {
  const moves = createMovementCursor(movements);
  let current: FoldedMint | undefined;
  try {
    for await (const piece of swaps) {
      for (const run of runsOfMints(piece)) {
        const { mint } = run[0]!;
        if (current?.mint !== mint) {
          if (current !== undefined) yield await ended(current, moves);
          yield* movedAlone(moves, mint);
          current = { mint, wallets: new Map(), isTraded: true };
        }
        foldWallets(current.wallets, run, await moves.upTo(mint, run.at(-1)!.slot));
      }
    }
    if (current !== undefined) yield await ended(current, moves);
    yield* movedAlone(moves, undefined);
  } finally {
    // Whoever has enough stops early: an answer that is not read on would hold its connection.
    await moves.close();
  }
}

/** Mints of movements that come before the next one with swaps. */
async function* movedAlone(moves: MovementCursor, before: Address | undefined): AsyncGenerator<FoldedMint> {
  for (let mint = await moves.mint(); mint !== undefined; mint = await moves.mint()) {
    if (before !== undefined && compareMints(mint, before) >= 0) return;
    yield await ended({ mint, wallets: new Map(), isTraded: false }, moves);
  }
}

async function ended(folded: FoldedMint, moves: MovementCursor): Promise<FoldedMint> {
  foldWallets(folded.wallets, [], await moves.upTo(folded.mint, Number.POSITIVE_INFINITY));
  return folded;
}

interface MovementCursor {
  /** Of the next movement; undefined at the end. */
  mint(): Promise<Address | undefined>;
  /** The next movements of a mint, up to a slot, in order. Those of mints before it are passed over. */
  upTo(mint: Address, slot: number): Promise<readonly Movement[]>;
  /** Lets the source go. */
  close(): Promise<unknown>;
}

function createMovementCursor(source: AsyncIterable<readonly Movement[]>): MovementCursor {
  const pieces = source[Symbol.asyncIterator]();
  let piece: readonly Movement[] = [];
  let next = 0;

  async function peek(): Promise<Movement | undefined> {
    while (next >= piece.length) {
      const step = await pieces.next();
      if (step.done === true) return undefined;
      piece = step.value;
      next = 0;
    }
    return piece[next];
  }

  return {
    mint: async () => (await peek())?.mint,
    close: async () => pieces.return?.(),
    async upTo(mint, slot) {
      const found: Movement[] = [];
      for (let movement = await peek(); movement !== undefined; movement = await peek()) {
        const order = compareMints(movement.mint, mint);
        if (order > 0 || (order === 0 && movement.slot > slot)) break;
        // Through the piece at hand without a promise for each.
        for (; next < piece.length && piece[next]!.mint === movement.mint; next += 1) {
          if (order === 0 && piece[next]!.slot > slot) break;
          if (order === 0) found.push(piece[next]!);
        }
      }
      return found.sort(compareMovements);
    },
  };
}

/** The order of bytes, in which a store has its mints. */
export function compareMints(a: Address, b: Address): number {
  return a === b ? 0 : Buffer.compare(addressBytes(a), addressBytes(b));
}

function* runsOfMints(swaps: readonly PositionSwap[]): Generator<readonly PositionSwap[]> {
  let start = 0;
  for (let place = 1; place <= swaps.length; place += 1) {
    if (swaps[place]?.mint === swaps[start]!.mint) continue;
    yield swaps.slice(start, place);
    start = place;
  }
}
