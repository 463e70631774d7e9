import { describe, expect, it } from 'vitest';
import {
  CREATED_INDEX,
  CREATOR,
  creationRow,
  type LaunchTransaction,
  landed,
  leg,
  reverted,
  rowsOf,
  USDC,
} from '../../../test/support/launch-script.ts';
import { address } from '../../../test/support/token-world-rows.ts';
import type { Address } from '../../chain/address.ts';
import { type LaunchRace, runRace } from './race-rules.ts';

const [ANN, BEN, CID] = [31, 32, 33].map((seed) => address(seed)) as [Address, Address, Address];
const DEV = landed(0, CREATED_INDEX, leg(CREATOR));

function race(script: readonly LaunchTransaction[], slots = 30): LaunchRace {
  return runRace({ creation: creationRow, ...rowsOf(script), slots, whole: true });
}

describe('rules 5, 6 and 9: what is told of an attempt', () => {
  it('are the row of its first buy and the sums of all', () => {
    const script = [landed(0, 41, [leg(ANN, { quoteMint: USDC }), leg(ANN)], { tip: 5n, router: address(41) })];
    const [attempt] = race(script).attempts;
    expect(attempt).toMatchObject({ quoteAmount: 300_000_000n, fee: 3_000_000n });
    expect(attempt?.row).toEqual(rowsOf(script).swaps[0]);
  });

  it('is the network fee of one that reverted', () => {
    const [attempt] = race([
      reverted(0, 41, { wallet: ANN, why: 'TooMuchSolRequired' }, { networkFee: 6_500n }),
    ]).attempts;
    expect(attempt?.row).toMatchObject({ network_fee: 6_500n, why: 'TooMuchSolRequired' });
  });
});

describe('rules 7 and 8: bids', () => {
  it('that were not available are compared with nothing', () => {
    const told = race([
      reverted(0, 41, { wallet: ANN }, { cuPrice: 500n }),
      reverted(0, 43, { wallet: BEN }, { cuPrice: 9_000n, budgetSource: 2 }),
      reverted(0, 45, { wallet: BEN, venue: 1 }, { cuPrice: 9_000n }),
      reverted(0, 47, { wallet: BEN }, { cuPrice: 700n, budgetSource: 1 }),
    ]);
    expect(told.losingCuPriceMax).toBe(700n);
  });

  it('of the creator’s hand lose to nobody, be it the wallet or the payer', () => {
    const told = race([
      DEV,
      landed(0, 41, leg(ANN)),
      reverted(0, 43, { wallet: CREATOR }, { cuPrice: 9_000n, networkFee: 90_000n }),
      reverted(0, 45, { wallet: BEN }, { cuPrice: 8_000n, networkFee: 80_000n, payer: CREATOR }),
      reverted(0, 47, { wallet: CID }, { cuPrice: 700n, networkFee: 7_000n }),
    ]);
    expect(told.losingCuPriceMax).toBe(700n);
  });

  it('are the price of the one that paid most beyond its signatures, and of equal ones the higher', () => {
    const told = race([
      reverted(0, 41, { wallet: ANN }, { cuPrice: 10n ** 9n, networkFee: 6_000n }),
      reverted(0, 43, { wallet: BEN }, { cuPrice: 500n, networkFee: 9_000n }),
      reverted(0, 45, { wallet: BEN }, { cuPrice: 600n, networkFee: 9_000n }),
      reverted(0, 47, { wallet: CID }, { cuPrice: 700n, networkFee: 13_000n, signatures: 2 }),
    ]);
    expect(told.losingCuPriceMax).toBe(600n);
  });

  it('of the winner are 0 and not known when its budget was not available', () => {
    const told = race([landed(0, 41, leg(ANN), { budgetSource: 2, cuPrice: 4n })]);
    expect(told).toMatchObject({ winnerCuPrice: 0n, winnerBidKnown: false });
    expect(race([landed(0, 41, leg(ANN), { cuPrice: 4n })])).toMatchObject({ winnerCuPrice: 4n, winnerBidKnown: true });
    expect(race([landed(0, 41, leg(ANN, { venue: 1 }))])).toMatchObject({ winnerCuPrice: 0n, winnerBidKnown: false });
  });

  it('without an outside winner are 0 and known', () => {
    expect(race([DEV])).toMatchObject({ winnerCuPrice: 0n, winnerBidKnown: true, losingCuPriceMax: undefined });
  });
});

describe('slots', () => {
  it('count attempts, those that landed, their wallets and the middle tips', () => {
    const told = race([
      DEV,
      reverted(0, 41, { wallet: ANN }, { tip: 10n }),
      reverted(0, 43, { wallet: ANN }, { tip: 30n }),
      landed(0, 45, leg(BEN), { tip: 41n }),
      landed(4, 1, leg(ANN), { tip: 7n }),
    ]);
    expect(told.bySlot).toEqual([
      {
        slotsAfterCreation: 0,
        attempts: 4,
        landed: 2,
        wallets: 3,
        medianTip: 20n,
        medianTipDeclared: 20n,
        whole: true,
      },
      { slotsAfterCreation: 4, attempts: 1, landed: 1, wallets: 1, medianTip: 7n, medianTipDeclared: 7n, whole: true },
    ]);
  });

  it('have middle tips that nobody moves by declaring what it could never pay', () => {
    const absurd = { tip: 10n ** 15n, tipPayable: 60n };
    const told = race([
      landed(0, 41, leg(ANN), { tip: 40n }),
      reverted(0, 43, { wallet: BEN }, absurd),
      reverted(0, 45, { wallet: CID }, absurd),
      reverted(1, 1, { wallet: CID }, absurd),
    ]);
    expect(told.bySlot).toMatchObject([
      { medianTip: 40n, medianTipDeclared: 60n },
      { medianTip: 0n, medianTipDeclared: 60n },
    ]);
  });

  it('do not tell what was declared where the payers of some were not looked at', () => {
    const told = race([landed(0, 41, leg(ANN), { tip: 40n }), reverted(0, 43, { wallet: BEN }, { signatures: 0 })]);
    expect(told.bySlot).toMatchObject([{ medianTip: 40n, medianTipDeclared: undefined }]);
  });
});
