import { describe, expect, it } from 'vitest';
import { DEV, flow, intelligenceRows, NOW, position, SUPPLY, swap } from '../../../test/support/intelligence-rows.ts';
import { address } from '../../../test/support/token-world-rows.ts';
import type { Address } from '../../chain/address.ts';
import { type InsiderRows, insiderEvidence } from './insider-rules.ts';
import type { TradePosition, WalletFlow } from './rule-rows.ts';

const [ANN, BOB] = [address(31), address(32)] as [Address, Address];

function judge(
  { positions = [], flows = [] }: { positions?: readonly TradePosition[]; flows?: readonly WalletFlow[] },
  more: Partial<InsiderRows> = {},
) {
  const { holdings } = intelligenceRows({ ownership: { positions, flows } });
  return insiderEvidence({
    cast: { creator: DEV, snipers: new Set([ANN]), bundleOf: new Map() },
    ...{ walletBalances: holdings.walletBalances, isTold: true, supply: SUPPLY, swaps: [], now: NOW },
    ...more,
  });
}

describe('insiders have left', () => {
  it('when the creator sold all but a tenth of what it bought, however long ago and however little it was', () => {
    expect(judge({ positions: [position(DEV, 10n, 9n)] })).toMatchObject({
      haveInsidersLeft: true,
      isCreatorGone: true,
    });
    expect(judge({ positions: [position(DEV, 100n, 89n)] })).toMatchObject({
      ...{ haveInsidersLeft: false, isCreatorGone: false },
    });
    // Snipers who stay change nothing about that, where it had a hundredth of the supply or a tenth of what insiders bought.
    const snipers = [position(DEV, 10n, 10n), position(ANN, 90n)];
    expect(judge({ positions: snipers }).haveInsidersLeft).toBe(true);
    const many = [position(DEV, 10_000n, 10_000n), position(ANN, 300_000n)];
    expect(judge({ positions: many }).haveInsidersLeft).toBe(true);
  });

  it('when the others sold, where the creator never bought and they had a share of the supply', () => {
    expect(judge({ positions: [position(ANN, 10_000n, 9_000n)] }).haveInsidersLeft).toBe(true);
    expect(judge({ positions: [position(ANN, 10_000n, 8_999n)] }).haveInsidersLeft).toBe(false);
    expect(judge({ positions: [position(ANN, 9_999n, 9_999n)] }).haveInsidersLeft).toBe(false);
    // Nobody that the launch knows.
    expect(judge({ positions: [position(BOB, 90_000n, 90_000n)] }).haveInsidersLeft).toBe(false);
  });

  it('neither held up nor made by a creator that bought next to nothing', () => {
    expect(judge({ positions: [position(DEV, 1n), position(ANN, 90_000n, 90_000n)] }).haveInsidersLeft).toBe(true);
    expect(judge({ positions: [position(DEV, 1n, 1n), position(ANN, 90_000n)] }).haveInsidersLeft).toBe(false);
    expect(judge({ positions: [position(DEV, 9_000n), position(ANN, 80_000n, 80_000n)] }).haveInsidersLeft).toBe(false);
    // Nor by one that keeps a hundredth of the supply, while thirty that its bundle had are sold.
    expect(judge({ positions: [position(DEV, 10_000n), position(ANN, 300_000n, 300_000n)] }).haveInsidersLeft).toBe(
      true,
    );
  });

  it('not when the creator gave away what it had bought, though it is gone then', () => {
    const handedOut = judge({ positions: [position(DEV, 100n)], flows: [flow(DEV, { sent: 100n })] });
    expect(handedOut).toMatchObject({ haveInsidersLeft: false, isCreatorGone: true });
    // Half sold and half sent to another wallet of its own is no way to stay.
    const half = judge({ positions: [position(DEV, 100n, 50n)], flows: [flow(DEV, { sent: 50n })] });
    expect(half).toMatchObject({ haveInsidersLeft: true, isCreatorGone: true });
  });

  it('not when the creator came back, nor when it never was in', () => {
    expect(judge({ positions: [position(DEV, 200n, 100n)] }).isCreatorGone).toBe(false);
    expect(judge({})).toMatchObject({ haveInsidersLeft: false, isCreatorGone: false });
  });

  it('by trades alone where balances are not told', () => {
    const rows = { positions: [position(DEV, 100n)], flows: [flow(DEV, { sent: 100n })] };
    expect(judge(rows, { isTold: false }).isCreatorGone).toBe(false);
    expect(judge({ positions: [position(DEV, 100n, 95n)] }, { isTold: false }).haveInsidersLeft).toBe(true);
  });
});

describe('insiders sold', () => {
  const sold = (...swaps: InsiderRows['swaps']) => judge({}, { swaps }).insidersSold;
  const buy = { is_buy: true };

  it('what they sold within ten minutes, and nothing that is older or others’', () => {
    expect(sold(swap(ANN, 1_101, 30n), swap(DEV, 1_100, 12n))).toBe(42n);
    expect(sold(swap(ANN, 1_101, 30n), swap(ANN, 1_000, 12n, { time: NOW - 600 }))).toBe(30n);
    expect(sold(swap(BOB, 1_101, 30n))).toBe(0n);
  });

  it('what they bought within the same minutes, too', () => {
    expect(sold(swap(ANN, 1_101, 30n), swap(ANN, 1_100, 30n, buy))).toBe(30n);
  });

  it('not what they bought back: who trades both ways around an inventory does not exit', () => {
    expect(
      sold(swap(ANN, 1_104, 30n, buy), swap(ANN, 1_103, 30n), swap(ANN, 1_102, 30n, buy), swap(ANN, 1_101, 30n)),
    ).toBe(0n);
    expect(sold(swap(ANN, 1_103, 10n, buy), swap(ANN, 1_102, 30n), swap(ANN, 1_101, 5n))).toBe(25n);
  });
});
