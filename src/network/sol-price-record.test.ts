import { describe, expect, it } from 'vitest';
import { createHandClock } from '../../test/support/hand-clock.ts';
import { silentLogger } from '../kernel/log.ts';
import { createSolPriceRecord, type MinutePrice } from './sol-price-record.ts';

/** A full minute. */
const START = 1_790_000_040;

function record() {
  const clock = createHandClock(START * 1_000);
  const kept: MinutePrice[] = [];
  const state = { isDown: false, tries: 0 };
  const keep = async (prices: readonly MinutePrice[]) => {
    state.tries += 1;
    if (state.isDown) throw new Error('down');
    kept.push(...prices);
  };
  const price = createSolPriceRecord({ keep, clock, log: silentLogger });
  /** As readers take it: of each minute the newest quote. */
  const told = () => new Map(kept.toSorted((a, b) => a.quotedAt - b.quotedAt).map(({ minute, usd }) => [minute, usd]));
  return { clock, kept, state, price, told };
}

describe('the record of the price of SOL', () => {
  it('has a minute from its first quote on, its last one behind it, and none without a quote', async () => {
    const { clock, kept, price, told } = record();
    price.take(150);
    await clock.advance(5_000);
    expect([...told()]).toEqual([[START, 150]]);
    price.take(151);
    await clock.advance(50_000);
    price.take(152);
    expect([...told()]).toEqual([[START, 150]]);
    // A minute passes without a quote.
    await clock.advance(100_000);
    price.take(160);
    await clock.advance(1);
    expect([...told()]).toEqual([
      [START, 152],
      [START + 120, 160],
    ]);
    expect(kept).toHaveLength(3);
    await price.stop();
  });

  it('keeps what a stop finds, and what a store that did not answer lacks', async () => {
    const { clock, state, price, told } = record();
    state.isDown = true;
    for (let minute = 0; minute < 3; minute += 1) {
      price.take(100 + minute);
      await clock.advance(60_000);
    }
    expect(told().size).toBe(0);
    expect(state.tries).toBeGreaterThan(10);
    state.isDown = false;
    price.take(103);
    await clock.advance(10_000);
    price.take(104);
    await price.stop();
    expect([...told().values()]).toEqual([100, 101, 102, 104]);
  });

  it('ends with a store that does not answer, and holds no more than a day for it', async () => {
    const { clock, state, price, told } = record();
    state.isDown = true;
    for (let minute = 0; minute < 1_500; minute += 1) {
      price.take(minute);
      clock.freeze(60_000);
    }
    await clock.advance(0);
    state.isDown = false;
    await clock.advance(10_000);
    expect([...told().values()]).toEqual(Array.from({ length: 1_440 }, (_, at) => at + 60));
    state.isDown = true;
    price.take(7);
    await price.stop();
    expect(told().size).toBe(1_440);
  });
});
