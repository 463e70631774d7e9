import { expect, it } from 'vitest';
import { mintOf, traderOf } from '../../../test/support/trade-chain.ts';
import type { Address } from '../../chain/address.ts';
import type { PositionSwap } from '../../facts/average-cost.ts';
import { foldMints } from '../../facts/fold-mints.ts';
import { walletKey } from '../../facts/holding.ts';
import type { Movement } from '../../facts/movements.ts';
import { ALL_WALLETS, createWalletShares, halvesOf } from '../../facts/wallet-share.ts';
import { createLateSteps } from './late-steps.ts';

const WALLETS = Array.from({ length: 600 }, (_, number) => traderOf(number));
const MOST = 20;
const PIECE = 10;
const isOfShare = createWalletShares(7);
const [large, other] = [2, 3].map(mintOf) as [Address, Address];

function swapOf(mint: Address, trader: Address, at: number): PositionSwap {
  const amounts = { tokenAmount: 5n, quoteAmount: 9n, protocolFee: 0n, creatorFee: 0n, cashback: 0n };
  const place = { slot: 100 + at, blockIndex: 0, ixIndex: 0, time: 1 };
  return {
    ...place,
    ...amounts,
    mint,
    trader,
    quoteMint: undefined,
    isBuy: true,
    protocolActor: false,
  } as PositionSwap;
}

const markOf = (mint: Address) => ({ mint, mark: 1, slot: 10_000, firstSlot: 1, holdingsOnly: false });

it('holds no more wallets of a mint than are folded, and those in full', async () => {
  const late = createLateSteps([markOf(large), markOf(other)], { share: ALL_WALLETS, isOfShare });
  let most = 0;
  async function* swaps() {
    for (let at = 0; at < WALLETS.length; at += PIECE) {
      const piece = WALLETS.slice(at, at + PIECE).map((wallet, i) => swapOf(large, wallet, at + i));
      late.ofSwaps(piece);
      most = Math.max(most, late.size);
      yield piece;
    }
    const last = [swapOf(other, WALLETS[0]!, 9_000)];
    late.ofSwaps(last);
    yield last;
  }
  async function* movements(): AsyncGenerator<readonly Movement[]> {}
  const options = { isOfShare, maxWallets: MOST, onNarrowed: late.narrow };
  const folds = [];
  for await (const fold of foldMints(swaps(), movements(), options)) folds.push(fold);
  const [first, second] = folds;
  expect([first?.mint, second?.mint]).toEqual([large, other]);
  expect(first!.share.of).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(MOST + PIECE);
  const touched = (mint: Address) => WALLETS.filter((wallet) => late.touches(mint, walletKey({ mint, wallet })));
  expect(touched(large)).toEqual(WALLETS.filter((wallet) => isOfShare(first!.share, wallet)));
  expect(touched(other)).toEqual([WALLETS[0]]);
});

it('counts movements of those wallets alone that are left', () => {
  const late = createLateSteps([markOf(large)], { share: ALL_WALLETS, isOfShare });
  const moved = (wallet: Address) => ({ mint: large, wallet, slot: 100 }) as Movement;
  late.ofMovements([...WALLETS, ...WALLETS].map(moved));
  const [half] = halvesOf(ALL_WALLETS);
  late.narrow(large, half);
  late.ofMovements(WALLETS.map(moved));
  const counts = WALLETS.map((wallet) => late.moves(large, walletKey({ mint: large, wallet })));
  expect(counts).toEqual(WALLETS.map((wallet) => (isOfShare(half, wallet) ? 3 : undefined)));
});
