import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasFixtures } from '../../../test/support/fixtures.ts';
import { loggedEvents } from '../../../test/support/real-events.ts';
import { ZERO_ADDRESS } from '../../chain/address.ts';
import { failingJournal } from '../../kernel/journal.ts';
import { decodeEvent } from '../decode.ts';
import type { CurveFees, CurveReserves } from './curve.ts';
import { buyTokens, buyWithQuote, CURVE_FEES, isComplete, SOL_CURVE, sellTokens, USDC_CURVE } from './curve.ts';
import type { TradeEvent } from './events.ts';
import { MAYHEM_SOL_VAULT } from './ids.ts';

/** A buy of December 2024 and a sell of February 2026, as mainnet logged them. */
const BUY_2024 =
  'vdt/007mYe5fUJLKQBnZyU5a25rXFCHmUq3eDeg/6m3qXr6Y4LVhXz7JvUoAAAAAWdK2IWMiAAABjF9LiRHyIjjqqF93tZIAeB6MsYzDh6xG1Oi/PnwVBw/0JWRnAAAAAERvQMEHAAAANwv2V/5uAwBEwxzFAAAAADdz4wttcAIA';
const SELL_2026 =
  'vdt/007mYe7XyVnAmrsmNQEqjfzZIfKiwqiQCYeIdMrC6UxxN4hCf9DrkCUAAAAAhGy+/4YDAAAA4mShxt7KFvq6T6dmjb9yEzSgbpRBKEVTmLNy5reQWhyA9IlpAAAAABJjOsQQAAAAZMje4I2WAQAStxbICQAAAGQwzJT8lwAASsL40N1cvJfjKJwZfLUGKlTz2Va5zm5RFfllZ6pcs+ZfAAAAAAAAAFtcWwAAAAAALUNGTC+hWGN5OXP1S7ZMJLKc62q0tXQFvA5WBZ2I/18eAAAAAAAAAMzZHAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAAAHNlbGwA';

function tradeEvent(base64: string): TradeEvent {
  return decodeEvent('pump', Buffer.from(base64, 'base64'), 0, 0, 0, failingJournal)?.data as TradeEvent;
}

function reservesAfter(event: TradeEvent): CurveReserves {
  return {
    virtualQuote: event.virtualSolReserves,
    virtualToken: event.virtualTokenReserves,
    realQuote: event.realSolReserves!,
    realToken: event.realTokenReserves!,
  };
}

function reservesBefore(event: TradeEvent): CurveReserves {
  const after = reservesAfter(event);
  const sign = event.isBuy ? -1n : 1n;
  return {
    virtualQuote: after.virtualQuote + sign * event.solAmount,
    virtualToken: after.virtualToken - sign * event.tokenAmount,
    realQuote: after.realQuote + sign * event.solAmount,
    realToken: after.realToken - sign * event.tokenAmount,
  };
}

/** Rates of an event; coins whose creator is the zero key are charged none, whatever the rate says. */
function feesOf(event: TradeEvent): CurveFees {
  return {
    protocolBps: event.feeBasisPoints ?? 0n,
    creatorBps: event.creator === ZERO_ADDRESS ? 0n : (event.creatorFeeBasisPoints ?? 0n),
  };
}

/**
 * Expects the trade to fit to the unit with the quote or the token amount given: old events do not tell which of the
 * two it was.
 */
function expectReproduced(event: TradeEvent): void {
  const before = reservesBefore(event);
  const fees = feesOf(event);
  const paid = event.solAmount + (event.fee ?? 0n) + (event.creatorFee ?? 0n);
  const candidates = event.isBuy
    ? [buyTokens(before, event.tokenAmount, fees), buyWithQuote(before, paid, fees)]
    : [sellTokens(before, event.tokenAmount, fees)];
  expect(candidates).toContainEqual({
    quoteAmount: event.solAmount,
    tokenAmount: event.tokenAmount,
    fee: event.fee ?? 0n,
    creatorFee: event.creatorFee ?? 0n,
    userQuote: event.isBuy ? paid : 2n * event.solAmount - paid,
    after: reservesAfter(event),
  });
}

describe('curve arithmetic', () => {
  test('reproduces a mainnet buy and a mainnet sell to the unit', () => {
    expectReproduced(tradeEvent(BUY_2024));
    expectReproduced(tradeEvent(SELL_2026));
  });

  test.skipIf(!hasFixtures)(
    'reproduces every real trade but those of the mayhem agent, which reprice the curve',
    () => {
      const trades = loggedEvents()
        .filter(({ event }) => event.name === 'TradeEvent')
        .map(({ event }) => event.data as TradeEvent)
        .filter((event) => event.user !== MAYHEM_SOL_VAULT);
      expect(trades.length).toBeGreaterThan(20);
      for (const trade of trades) expectReproduced(trade);
    },
  );

  test('a SOL curve is full at 85.005 SOL, and a USDC one at about 12,161 USDC', () => {
    const full = buyTokens(SOL_CURVE, SOL_CURVE.realToken, CURVE_FEES).after;
    expect(isComplete(full)).toBe(true);
    expect(full.virtualToken).toBe(279_900_000_000_000n);
    expect(full.realQuote).toBe(85_005_359_057n);
    expect(buyTokens(USDC_CURVE, USDC_CURVE.realToken, CURVE_FEES).after.realQuote / 1_000_000n).toBe(12_161n);
  });

  const trade = fc.tuple(fc.boolean(), fc.bigInt({ min: 2n, max: 40_000_000_000n }));

  test('trading never shrinks the product, never overspends, and never leaves the curve short', () => {
    fc.assert(
      fc.property(fc.array(trade, { maxLength: 30 }), (trades) => {
        let reserves = SOL_CURVE;
        let held = 0n;
        for (const [isBuy, amount] of trades) {
          const before = reserves;
          if (isBuy) {
            const bought = buyWithQuote(reserves, amount, CURVE_FEES);
            expect(bought.userQuote).toBeLessThanOrEqual(amount);
            held += bought.tokenAmount;
            reserves = bought.after;
          } else {
            const sold = sellTokens(reserves, held / 2n, CURVE_FEES);
            held -= sold.tokenAmount;
            reserves = sold.after;
          }
          expect(reserves.virtualQuote * reserves.virtualToken).toBeGreaterThanOrEqual(
            before.virtualQuote * before.virtualToken,
          );
          expect(reserves.realQuote).toBeGreaterThanOrEqual(0n);
          expect(reserves.realToken).toBe(SOL_CURVE.realToken - held);
        }
      }),
    );
  });

  test('what the curve cannot deliver is neither sold nor paid for', () => {
    const all = buyWithQuote(SOL_CURVE, 1_000_000_000_000n, CURVE_FEES);
    expect(all.tokenAmount).toBe(SOL_CURVE.realToken);
    expect(all.userQuote).toBeLessThan(87_000_000_000n);
  });
});
