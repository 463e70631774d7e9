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
 * Wallets of one mint are held, swaps are not, and of its movements some at a time.
 */
export async function* foldMints(
  swaps: AsyncIterable<readonly PositionSwap[]>,
  movements: AsyncIterable<readonly Movement[]>,
  maxHeldMovements = MAX_HELD_MOVEMENTS,
): AsyncGenerator<FoldedMint> {
  const moves = createMovementCursor(movements, maxHeldMovements);
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
        await foldRun(current, run, moves);
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
  await foldRun(folded, [], moves);
  return folded;
}

/** Folds swaps of one mint with the movements up to the last of them, or with all that are left where there are no swaps. */
async function foldRun(
  { mint, wallets }: FoldedMint,
  run: readonly PositionSwap[],
  moves: MovementCursor,
): Promise<void> {
  const lastSlot = run.at(-1)?.slot ?? Number.POSITIVE_INFINITY;
  let next = 0;
  for (;;) {
    const part = await moves.upTo(mint, lastSlot);
    let end = next;
    while (end < run.length && (part.isLast || run[end]!.slot <= part.slot)) end += 1;
    foldWallets(wallets, run.slice(next, end), part.movements);
    if (part.isLast) return;
    next = end;
  }
}

/** Movements held at a time, and what is left of the last one's slot: some 15 MB. */
const MAX_HELD_MOVEMENTS = 50_000;

/** Movements in order, as many as are held at a time. */
interface MovementPart {
  readonly movements: readonly Movement[];
  /** Up to which there are no more. */
  readonly slot: number;
  /** False when more of what was asked for follow. */
  readonly isLast: boolean;
}

interface MovementCursor {
  /** Of the next movement; undefined at the end. */
  mint(): Promise<Address | undefined>;
  /** The next movements of a mint, up to a slot, in order. Those of mints before it are passed over. */
  upTo(mint: Address, slot: number): Promise<MovementPart>;
  /** Lets the source go. */
  close(): Promise<unknown>;
}

function createMovementCursor(source: AsyncIterable<readonly Movement[]>, maxHeld: number): MovementCursor {
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
      const part = (isLast: boolean): MovementPart => {
        return { movements: found.sort(compareMovements), slot: found.at(-1)?.slot ?? slot, isLast };
      };
      for (let movement = await peek(); movement !== undefined; movement = await peek()) {
        const order = compareMints(movement.mint, mint);
        if (order > 0 || (order === 0 && movement.slot > slot)) break;
        // Through the piece at hand without a promise for each.
        for (; next < piece.length && piece[next]!.mint === movement.mint; next += 1) {
          if (order !== 0) continue;
          const each = piece[next]!;
          if (each.slot > slot) break;
          if (found.length >= maxHeld && each.slot !== found.at(-1)?.slot) return part(false);
          found.push(each);
        }
      }
      return part(true);
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
