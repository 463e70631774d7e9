import { expect, it } from 'vitest';
import { someAddress } from '../../test/support/transaction-builder.ts';
import type { PositionSwap } from './average-cost.ts';
import { type FoldedMint, foldMints } from './fold-mints.ts';
import type { Movement } from './movements.ts';
import { ALL_WALLETS, createWalletShares, sharesLeft, type WalletShare } from './wallet-share.ts';

const mint = someAddress();
const wallets = Array.from({ length: 3 }, () => someAddress());
const at = (slot: number) => ({ mint, slot, blockIndex: 0, ixIndex: slot % 5, time: 1_770_000_000 + slot });

const swaps = Array.from({ length: 40 }, (_, place): PositionSwap => {
  const trader = wallets[place % 3]!;
  const amounts = { quoteAmount: 7n, tokenAmount: BigInt(place + 1) };
  return { ...at(5 * place), ...amounts, trader, quoteMint: undefined, isBuy: place % 4 > 0, protocolActor: false };
});
/** Twice as far as the swaps reach, two of some slots. */
const movements = Array.from({ length: 300 }, (_, place): Movement => {
  const kind = place % 2 === 0 ? 'received' : 'sent';
  const delta = kind === 'sent' ? -1n : 2n;
  return { ...at(Math.floor(place * 1.3)), blockIndex: place % 2, wallet: wallets[place % 3]!, kind, delta };
});

const isOfShare = createWalletShares(7);

async function* inPieces<T>(rows: readonly T[], size: number): AsyncGenerator<readonly T[]> {
  for (let start = 0; start < rows.length; start += size) yield rows.slice(start, start + size);
}

async function collect(folds: AsyncIterable<FoldedMint>): Promise<FoldedMint[]> {
  const found: FoldedMint[] = [];
  for await (const fold of folds) found.push(fold);
  return found;
}

it('comes to the same however few movements are held at a time', async () => {
  const all = await collect(foldMints(inPieces(swaps, 40), inPieces(movements, 300), { isOfShare }));
  expect(all[0]?.wallets.size).toBe(3);
  for (const held of [1, 7, 50]) {
    expect(
      await collect(foldMints(inPieces(swaps, 40), inPieces(movements, 11), { isOfShare, maxHeldMovements: held })),
    ).toEqual(all);
  }
});

it('never holds more movements of a mint than that, though all of them come behind its last swap', async () => {
  let [pulled, folded, most] = [0, 0, 0];
  const counted = movements.map((movement) => {
    let isFolded = false;
    return {
      ...movement,
      get kind() {
        if (!isFolded) folded += 1;
        isFolded = true;
        return movement.kind;
      },
    };
  });
  async function* source() {
    for (const each of counted) {
      most = Math.max(most, pulled - folded);
      pulled += 1;
      yield [each];
    }
  }
  await collect(foldMints(inPieces(swaps.slice(0, 1), 1), source(), { isOfShare, maxHeldMovements: 20 }));
  expect(folded).toBe(movements.length);
  expect(most).toBeLessThanOrEqual(23);
});

it('holds no more wallets of a mint than that, and comes to the same over all of its shares', async () => {
  const many = Array.from({ length: 200 }, () => someAddress());
  const by = (place: number) => many[(place * 37) % many.length]!;
  const bought = Array.from(
    { length: 600 },
    (_, place): PositionSwap => ({
      ...swaps[place % swaps.length]!,
      ...at(place),
      trader: by(place),
    }),
  );
  const moved = Array.from({ length: 900 }, (_, place): Movement => {
    return { ...movements[place % movements.length]!, ...at(Math.floor(place / 1.5)), wallet: by(7 * place) };
  });
  const fold = (share: WalletShare, maxWallets: number) =>
    collect(foldMints(inPieces(bought, 9), inPieces(moved, 11), { isOfShare, share, maxWallets }));
  const [all] = await fold(ALL_WALLETS, 1_000);
  expect(all?.wallets.size).toBe(200);
  const found = new Map();
  const left = [ALL_WALLETS];
  for (let share = left.pop(); share !== undefined; share = left.pop()) {
    const [part] = await fold(share, 30);
    expect(part!.wallets.size).toBeLessThanOrEqual(30);
    for (const [key, state] of part!.wallets) {
      expect(found.has(key)).toBe(false);
      found.set(key, state);
    }
    left.push(...sharesLeft(share, part!.share));
  }
  expect(found).toEqual(all!.wallets);
});
