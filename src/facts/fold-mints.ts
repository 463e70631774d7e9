import type { Address } from '../chain/address.ts';
import { addressBytes } from '../chain/keys/address-table.ts';
import type { PositionSwap } from './average-cost.ts';
import { compareMovements, type Movement } from './movements.ts';
import { foldWallets, type WalletState } from './wallet-fold.ts';
import { ALL_WALLETS, halvesOf, type IsOfShare, type WalletShare } from './wallet-share.ts';

/** What is folded of a mint. */
export interface FoldedMint {
  readonly mint: Address;
  /** Those of its wallets that are here: a part of what was asked for where there are too many to be held. */
  readonly share: WalletShare;
  /** By `walletKey`. */
  readonly wallets: Map<string, WalletState>;
  /** False of a mint that has movements alone. */
  readonly isTraded: boolean;
}

export interface FoldOptions {
  /** Tells which wallets belong to a share. */
  readonly isOfShare: IsOfShare;
  /** Wallets that are folded of each mint; all of them when left out. */
  readonly share?: WalletShare;
  /** Wallets of a mint that are held at most. With more of them a half is let go, and its steps are passed over from there on. */
  readonly maxWallets?: number;
  readonly maxHeldMovements?: number;
  /** Told when a half of a mint's wallets is let go: what else is held of them can go, too. */
  readonly onNarrowed?: (mint: Address, share: WalletShare) => void;
}

/** Some 100 MB. */
export const MAX_HELD_WALLETS = 100_000;

/**
 * Folds the swaps and the movements of one mint after the other. Both come in pieces, by mint in the order of bytes
 * and by place, and no piece ends within a slot. A mint may have movements alone, where its swaps are still to come.
 * Wallets of one mint are held, of many some, swaps are not, and of its movements some at a time.
 */
export async function* foldMints(
  swaps: AsyncIterable<readonly PositionSwap[]>,
  movements: AsyncIterable<readonly Movement[]>,
  options: FoldOptions,
): AsyncGenerator<FoldedMint> {
  const { isOfShare, share = ALL_WALLETS, maxWallets = MAX_HELD_WALLETS, onNarrowed = () => {} } = options;
  const { maxHeldMovements = MAX_HELD_MOVEMENTS } = options;
  const moves = createMovementCursor(movements, maxHeldMovements);
  let current: Folding | undefined;
  const begin = (mint: Address, isTraded: boolean): Folding => {
    return { ...{ mint, share, wallets: new Map(), isTraded }, isOfShare, maxWallets, onNarrowed };
  };
  try {
    for await (const piece of swaps) {
      for (const run of runsOfMints(piece)) {
        const { mint } = run[0]!;
        if (current?.mint !== mint) {
          if (current !== undefined) yield await ended(current, moves);
          yield* movedAlone(moves, mint, begin);
          current = begin(mint, true);
        }
        await foldRun(current, run, moves);
      }
    }
    if (current !== undefined) yield await ended(current, moves);
    yield* movedAlone(moves, undefined, begin);
  } finally {
    // Whoever has enough stops early: an answer that is not read on would hold its connection.
    await moves.close();
  }
}

/** A mint that is being folded. */
interface Folding extends FoldedMint, Required<Pick<FoldOptions, 'isOfShare' | 'maxWallets' | 'onNarrowed'>> {
  share: WalletShare;
}

/** Mints of movements that come before the next one with swaps. */
async function* movedAlone(
  moves: MovementCursor,
  before: Address | undefined,
  begin: (mint: Address, isTraded: boolean) => Folding,
): AsyncGenerator<FoldedMint> {
  for (let mint = await moves.mint(); mint !== undefined; mint = await moves.mint()) {
    if (before !== undefined && compareMints(mint, before) >= 0) return;
    yield await ended(begin(mint, false), moves);
  }
}

async function ended(folding: Folding, moves: MovementCursor): Promise<FoldedMint> {
  await foldRun(folding, [], moves);
  const { mint, share, wallets, isTraded } = folding;
  return { mint, share, wallets, isTraded };
}

/** Folds swaps of one mint with the movements up to the last of them, or with all that are left where there are no swaps. */
async function foldRun(folding: Folding, run: readonly PositionSwap[], moves: MovementCursor): Promise<void> {
  const { mint } = folding;
  const lastSlot = run.at(-1)?.slot ?? Number.POSITIVE_INFINITY;
  let next = 0;
  for (;;) {
    const part = await moves.upTo(mint, lastSlot);
    let end = next;
    while (end < run.length && (part.isLast || run[end]!.slot <= part.slot)) end += 1;
    foldShare(folding, run.slice(next, end), part.movements);
    if (part.isLast) return;
    next = end;
  }
}

/** Folds the steps of those wallets that are asked for, and of a half of these from where on they are too many. */
function foldShare(folding: Folding, swaps: readonly PositionSwap[], movements: readonly Movement[]): void {
  const { wallets, isOfShare, maxWallets, share } = folding;
  const isAsked = (wallet: Address) => isOfShare(folding.share, wallet);
  if (folding.share.of === 1) foldWallets(wallets, swaps, movements);
  else {
    const asked = swaps.filter(({ trader }) => isAsked(trader));
    foldWallets(
      wallets,
      asked,
      movements.filter(({ wallet }) => isAsked(wallet)),
    );
  }
  while (wallets.size > maxWallets && folding.share.of < MAX_SHARES) {
    [folding.share] = halvesOf(folding.share);
    for (const [key, { wallet }] of wallets) if (!isAsked(wallet)) wallets.delete(key);
  }
  if (folding.share !== share) folding.onNarrowed(folding.mint, folding.share);
}

/** Shares that a mint is cut into at most. */
const MAX_SHARES = 2 ** 16;

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
