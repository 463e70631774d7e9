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

  it('that are forgotten leave what older ones say that the store has not got yet', () => {
    const stale = createStaleMints({ mints: [], newestMark: 0 });
    const first = stale.mark([mint], ofSlot(10));
    const second = stale.mark([mint], ofSlot(20));
    const third = stale.mark([mint], ofSlot(30));
    stale.forget(third);
    stale.forget(second);
    const fourth = stale.mark([mint], { ...ofSlot(40), holdingsOnly: true });
    expect(fourth).toMatchObject([{ mark: 4, slot: 40, firstSlot: 10, holdingsOnly: false }]);
    // The store has the newest alone by then, whichever comes first.
    stale.stored(fourth);
    stale.stored(first);
    expect(stale.next(9)).toEqual(fourth);
  });

  it('wait for older ones that are on their way, as an answer to them would be one to those too', async () => {
    const stale = createStaleMints({ mints: [], newestMark: 0 });
    const late = stale.mark([mint], ofSlot(10));
    stale.stored(stale.mark([mint], ofSlot(20)));
    const other = stale.mark([mintOf(2)], ofSlot(20));
    expect([stale.size, stale.next(9)]).toEqual([1, []]);
    stale.stored(other);
    expect(stale.next(9)).toEqual(other);
    stale.done(other);
    const ready = stale.ready(new AbortController().signal);
    expect(await Promise.race([ready, new Promise((resolve) => setTimeout(resolve, 20, 'waits'))])).toBe('waits');
    stale.forget(late);
    expect(await ready).toBe(true);
    expect(stale.next(9)).toMatchObject([{ mark: 2 }]);
  });

  it('about holdings that nobody has folded yet come behind those about positions that are wrong', () => {
    const stale = createStaleMints({ mints: [], newestMark: 0 });
    const older = Array.from({ length: 600 }, (_, place) => mintOf(place + 10));
    stale.stored(stale.mark(older, { slot: 0, firstSlot: 0, holdingsOnly: true }));
    const wrong = stale.mark([mint, older[599]!], ofSlot(7));
    stale.stored(wrong);
    expect(stale.next(500).map((each) => each.mint)).toEqual([older[599], mint]);
    stale.done(stale.next(500));
    expect(stale.next(500).map((each) => each.mint)).toEqual(older.slice(0, 500));
  });
});
