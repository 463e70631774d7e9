import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldPositions } from '../../../test/support/fold-positions.ts';
import { address } from '../../../test/support/token-world-rows.ts';
import type { Address } from '../../chain/address.ts';
import type { PositionState } from '../../facts/average-cost.ts';
import { toPositionRow } from '../../store/clickhouse/schema/position-rows.ts';
import { type BalanceRows, reconcile, reconstruct } from './balance-rules.ts';
import type { TradePosition, WalletFlow } from './rule-rows.ts';

const MINT = address(11);
const WALLETS = [21, 22, 23, 24, 25].map(address);
const CURVE = address(51);
const SUPPLY = 1_000_000n;

/** Something that moves tokens of one or two wallets. */
interface Move {
  readonly kind: 'buy' | 'sell' | 'send' | 'burn' | 'provide' | 'withdraw' | 'unexplained';
  readonly from: Address;
  readonly to: Address;
  readonly amount: bigint;
  /** Of trades. */
  readonly quote: Address | undefined;
}

const moves = fc.array(
  fc.record({
    kind: fc.constantFrom(
      ...(['buy', 'buy', 'sell', 'send', 'send', 'burn', 'provide', 'withdraw', 'unexplained'] as const),
    ),
    from: fc.constantFrom(...WALLETS),
    to: fc.constantFrom(...WALLETS),
    amount: fc.bigInt({ min: 1n, max: 10_000n }),
    quote: fc.constantFrom(undefined, undefined, address(31)),
  }),
  { minLength: 10, maxLength: 60 },
);

/** The moves that a chain would let through, and what everybody holds after them. */
function play(wanted: readonly Move[]): {
  readonly done: readonly Move[];
  readonly held: ReadonlyMap<Address, bigint>;
} {
  const held = new Map<Address, bigint>(WALLETS.map((wallet) => [wallet, 0n]));
  const pooled = new Map<Address, bigint>();
  const add = (map: Map<Address, bigint>, wallet: Address, delta: bigint) =>
    map.set(wallet, (map.get(wallet) ?? 0n) + delta);
  const done = wanted.filter(({ kind, from, to, amount }) => {
    if (kind === 'buy' || kind === 'unexplained') add(held, from, amount);
    else if (kind === 'withdraw') {
      if ((pooled.get(from) ?? 0n) < amount) return false;
      add(pooled, from, -amount);
      add(held, from, amount);
    } else {
      if (held.get(from)! < amount || (kind === 'send' && from === to)) return false;
      add(held, from, -amount);
      if (kind === 'send') add(held, to, amount);
      if (kind === 'provide') add(pooled, from, amount);
    }
    return true;
  });
  return { done, held };
}

function positionsOf(done: readonly Move[]): TradePosition[] {
  const states = new Map<string, PositionState>();
  const trades = done.flatMap(({ kind, from, amount, quote }, i) =>
    kind === 'buy' || kind === 'sell'
      ? [
          {
            ...{ mint: MINT, quoteMint: quote, trader: from, slot: i + 1, blockIndex: 0, ixIndex: 0, time: i },
            ...{ isBuy: kind === 'buy', quoteAmount: amount, tokenAmount: amount, protocolActor: false },
          },
        ]
      : [],
  );
  foldPositions(states, trades);
  return [...states.values()].map(toPositionRow);
}

function flowsOf(done: readonly Move[]): WalletFlow[] {
  const flows = new Map<Address, { [K in keyof WalletFlow]: WalletFlow[K] }>();
  const flow = (wallet: Address) => {
    const known = flows.get(wallet) ?? { wallet, received: 0n, sent: 0n, burnt: 0n, provided: 0n, unexplained: 0n };
    flows.set(wallet, known);
    return known as { -readonly [K in keyof WalletFlow]: WalletFlow[K] };
  };
  for (const { kind, from, to, amount } of done) {
    if (kind === 'send') {
      flow(from).sent += amount;
      flow(to).received += amount;
    } else if (kind === 'burn') flow(from).burnt += amount;
    else if (kind === 'provide') flow(from).provided += amount;
    else if (kind === 'withdraw') flow(from).provided -= amount;
    else if (kind === 'unexplained') flow(from).unexplained += amount;
  }
  return [...flows.values()];
}

const NONE: BalanceRows = { positions: [], flows: [], results: [], isNobody: (wallet) => wallet === CURVE };

describe('balances', () => {
  it('are those of a balance that is kept move by move, and nothing is untraced', () => {
    fc.assert(
      fc.property(moves, (wanted) => {
        const { done, held } = play(wanted);
        const walletBalances = reconstruct({ ...NONE, positions: positionsOf(done), flows: flowsOf(done) });
        for (const wallet of WALLETS) expect(walletBalances.get(wallet)?.balance ?? 0n).toBe(held.get(wallet));
        expect(reconcile(walletBalances.values(), SUPPLY)).toEqual({
          untraced: 0n,
          untracedPct: 0,
          unreconciled: false,
        });
      }),
    );
  });

  it('tell of a send that nobody saw as soon as its receiver parts with what it brought', () => {
    let evident = 0;
    fc.assert(
      fc.property(moves, fc.nat(), (wanted, pick) => {
        const { done, held } = play(wanted);
        const sends = done.filter(({ kind }) => kind === 'send');
        const lost = sends[pick % Math.max(1, sends.length)];
        if (lost === undefined) return;
        // Now and then the receiver sells all that it has in the end.
        const rest = held.get(lost.to)!;
        const sale =
          pick % 2 === 0 && rest > 0n ? [{ ...lost, kind: 'sell' as const, from: lost.to, amount: rest }] : [];
        const seen = [...done.filter((move) => move !== lost), ...sale];
        const walletBalances = reconstruct({ ...NONE, positions: positionsOf(seen), flows: flowsOf(seen) });
        const missing = lost.amount - (sale.length > 0 ? 0n : rest);
        const expected = missing > 0n ? missing : 0n;
        if (expected > 0n) evident += 1;
        expect(reconcile(walletBalances.values(), SUPPLY).untraced).toBe(expected);
      }),
      { seed: 5, numRuns: 300 },
    );
    expect(evident).toBeGreaterThan(20);
  });

  it('know nobody but wallets', () => {
    const flow = { received: 9n, sent: 0n, burnt: 0n, provided: 0n, unexplained: 0n };
    const flows = [
      { ...flow, wallet: CURVE },
      { ...flow, wallet: address(21) },
    ];
    const walletBalances = reconstruct({ ...NONE, flows });
    expect([...walletBalances.keys()]).toEqual([address(21)]);
  });

  it.each([
    // Never rounded up to the threshold that it has not reached.
    [9_999n, false, 0.99],
    [10_000n, true, 1],
    [12_349n, true, 1.23],
    [1n, false, 0],
  ])('that lack %s of a million are unreconciled from a hundredth on: %s', (lacking, unreconciled, pct) => {
    const sent = { received: 0n, sent: lacking, burnt: 0n, provided: 0n, unexplained: 0n, wallet: address(21) };
    const walletBalances = reconstruct({ ...NONE, flows: [sent] });
    expect(reconcile(walletBalances.values(), SUPPLY)).toEqual({ untraced: lacking, untracedPct: pct, unreconciled });
  });
});
