import { describe, expect, it } from 'vitest';
import {
  buildBlock,
  type CallSpec,
  someAddress,
  type TokenSpec,
  transfer,
} from '../../test/support/transaction-builder.ts';
import { curveBuy, curveSell, poolBuy, poolEvent, tradeEvent } from '../../test/support/venue-trades.ts';
import { type Address, WSOL_MINT } from '../chain/address.ts';
import { failingJournal } from '../kernel/journal.ts';
import { deriveFacts } from './derive.ts';

const [mint, wallet, authority, router] = [someAddress(), someAddress(), someAddress(), someAddress()];
const TOKENS = 35_000_000_000n;

describe('the traders behind one router', () => {
  const four = Array.from({ length: 4 }, () => someAddress());
  const [first, second, third, fourth] = four as [Address, Address, Address, Address];
  const buy = curveBuy(tradeEvent({ mint, user: authority }));
  const sell = curveSell(tradeEvent({ mint, user: authority, isBuy: false }));
  /** An account of the owner whose address tests can name. */
  const accountOf = new Map([...four, authority, wallet].map((owner) => [owner, someAddress()]));
  const held = (owner: Address, delta: bigint): TokenSpec => ({
    mint,
    owner,
    pre: TOKENS * 9n,
    post: TOKENS * 9n + delta,
    account: accountOf.get(owner) ?? someAddress(),
  });
  const send = (from: Address, to: Address, amount: bigint) =>
    transfer(accountOf.get(from)!, accountOf.get(to)!, from, amount);
  const tradersOf = (
    calls: readonly CallSpec[],
    tokens: readonly TokenSpec[],
    signers: readonly Address[] = [wallet],
  ) =>
    deriveFacts(buildBlock([{ signers, calls: [{ program: router, calls }], tokens }]), failingJournal).swaps.map(
      ({ trader }) => trader,
    );

  it('are four when four got equal amounts, though nothing but their balances tells', () => {
    const traders = tradersOf(
      [buy, buy, buy, buy],
      four.map((owner) => held(owner, TOKENS)),
    );
    expect([...traders].sort()).toEqual([...four].sort());
  });

  it.each([
    ['right behind each leg', (to: Address) => [buy, send(authority, to, TOKENS)], []],
    ['behind all of them', () => [buy], [third, first, fourth, second].map((to) => send(authority, to, TOKENS))],
  ])('are told apart by the transfers %s', (_, legOf, behind) => {
    const calls = [third, first, fourth, second].flatMap((owner) => legOf(owner));
    const tokens = [held(authority, 0n), ...four.map((owner) => held(owner, TOKENS))];
    expect(tradersOf([...calls, ...behind], tokens)).toEqual([third, first, fourth, second]);
  });

  it.each([
    ['before each leg', (from: Address) => [send(from, authority, TOKENS), sell], []],
    ['before all of them', () => [sell], [third, first, fourth, second].map((from) => send(from, authority, TOKENS))],
  ])('of sales are told apart by the transfers %s', (_, legOf, ahead) => {
    const calls = [third, first, fourth, second].flatMap((owner) => legOf(owner));
    const tokens = [held(authority, 0n), ...four.map((owner) => held(owner, -TOKENS))];
    expect(tradersOf([...ahead, ...calls], tokens)).toEqual([third, first, fourth, second]);
  });

  it('are four when the router keeps its share of each', () => {
    const part = TOKENS / 100n;
    const calls = four.flatMap((to) => [buy, send(authority, to, TOKENS - part)]);
    const tokens = [held(authority, 4n * part), ...four.map((owner) => held(owner, TOKENS - part))];
    expect(tradersOf(calls, tokens)).toEqual(four);
    expect([...tradersOf([buy, buy, buy, buy], tokens)].sort()).toEqual([...four].sort());
  });

  it('are each as many legs as their balances bear', () => {
    const tokens = [held(first, 2n * TOKENS), held(second, TOKENS), held(third, TOKENS)];
    const traders = tradersOf([buy, buy, buy, buy], tokens);
    expect([...traders].sort()).toEqual([first, first, second, third].sort());
  });

  it('are none of those whose own trade has explained their balance', () => {
    const own = curveBuy(tradeEvent({ mint, user: wallet }));
    const tokens = [held(wallet, TOKENS), held(first, TOKENS)];
    expect(tradersOf([own, buy], tokens)).toEqual([wallet, first]);
    expect(tradersOf([buy, own], tokens)).toEqual([first, wallet]);
  });

  it('do not change when a stranger is sent an equal amount of somebody’s own', () => {
    const calls = [send(second, third, TOKENS), buy, send(authority, first, TOKENS)];
    const tokens = [held(authority, 0n), held(third, TOKENS), held(second, -TOKENS), held(first, TOKENS)];
    expect(tradersOf(calls, tokens)).toEqual([first]);
  });

  it('are a buyer and a seller whom one transaction serves with equal amounts', () => {
    const calls = [send(second, authority, TOKENS), sell, buy, send(authority, first, TOKENS)];
    const tokens = [held(authority, 0n), held(first, TOKENS), held(second, -TOKENS)];
    expect(tradersOf(calls, tokens)).toEqual([second, first]);
  });

  it('is the customer of a keeper who signs and keeps one in a hundred', () => {
    const part = TOKENS / 100n;
    const tokens = [held(wallet, part), held(first, TOKENS - part)];
    expect(tradersOf([buy], tokens)).toEqual([first]);
    expect(tradersOf([buy, send(authority, wallet, part), send(authority, first, TOKENS - part)], tokens)).toEqual([
      first,
    ]);
    expect(tradersOf([sell], [held(wallet, part), held(first, -TOKENS - part)])).toEqual([first]);
  });

  it('is no bystander who got a fortune beside the trade', () => {
    const tokens = [held(someAddress(), 50n * TOKENS), held(wallet, TOKENS - 5n)];
    expect(tradersOf([buy], tokens)).toEqual([wallet]);
  });

  it('is no pool of another trade in the same transaction', () => {
    const pool = someAddress();
    const other = poolBuy(poolEvent({ pool, user: wallet, baseAmountOut: 3n * TOKENS }), mint, WSOL_MINT);
    const tokens = [held(wallet, 3n * TOKENS), held(pool, -3n * TOKENS), held(first, -TOKENS - 7n)];
    expect(tradersOf([other, sell], tokens)).toEqual([wallet, first]);
  });
});
