import { describe, expect, it } from 'vitest';
import { mintOf } from '../../../test/support/trade-chain.ts';
import { createStaleMints, ofAnySlot, ofSlot } from './stale-mints.ts';

const mint = mintOf(1);

describe('marks of a mint', () => {
  it('are about all that is not done: the store keeps the newest alone', () => {
    const stale = createStaleMints({ mints: [], newestMark: 4 });
    const first = stale.mark([mint], ofSlot(30));
    expect(first).toEqual([{ mint, mark: 5, slot: 30, firstSlot: 30, holdingsOnly: false }]);
    stale.stored(first);
    const second = stale.mark([mint], ofSlot(10));
    const third = stale.mark([mint], { ...ofSlot(20), holdingsOnly: true });
    expect(second).toMatchObject([{ mark: 6, slot: 30, firstSlot: 10 }]);
    expect(third).toMatchObject([{ mark: 7, slot: 30, firstSlot: 10, holdingsOnly: false }]);
    stale.stored([...second, ...third]);
    stale.done(stale.next(1));
    expect(stale.mark([mint], ofSlot(40))).toMatchObject([{ slot: 40, firstSlot: 40 }]);
  });

  it('of any slot stay so, and those that are forgotten leave nothing behind', () => {
    const stale = createStaleMints({ mints: [], newestMark: 0 });
    const forgotten = stale.mark([mint], ofAnySlot(30));
    expect(stale.mark([mint], ofSlot(31))).toMatchObject([{ slot: 31, firstSlot: 0 }]);
    const other = mintOf(2);
    stale.forget(forgotten);
    const lost = stale.mark([other], ofAnySlot(5));
    stale.forget(lost);
    expect(stale.mark([other], ofSlot(6))).toMatchObject([{ slot: 6, firstSlot: 6 }]);
  });
});
