import { describe, expect, it } from 'vitest';
import { judge, sends } from '../../../test/support/send-rows.ts';
import type { Address } from '../../chain/address.ts';
import type { SendRow } from './made-holder-rules.ts';
import { mayFeedPlatforms, PLATFORM_CUSTOMERS, withoutShares } from './platform-rules.ts';

const hidden = (rows: readonly SendRow[]) => rows.map((row) => ({ ...row, hidden: true }));
const customers = (count: number, from = 0) => Array.from({ length: count }, (_, i) => `c${from + i}`);
/** Each has traded so many of the token. */
const tradedBy = (wallets: readonly string[], amount = 500n) =>
  new Map(wallets.map((wallet) => [wallet as Address, amount]));
const feeding = (payers: readonly string[], ...receivers: readonly string[]) =>
  hidden(sends(...payers.flatMap((payer) => receivers.map((receiver) => `${payer}>${receiver}:10`))));

describe('shares that platforms take', () => {
  const payers = customers(PLATFORM_CUSTOMERS);

  it('are no sends between people where many who trade feed one', () => {
    const rows = feeding(payers, 'platform');
    expect(mayFeedPlatforms(rows)).toBe(true);
    expect(withoutShares(rows, tradedBy(payers))).toEqual([]);
    const referred = feeding(customers(2 * PLATFORM_CUSTOMERS), 'platform', 'referrer');
    expect(withoutShares(referred, tradedBy(customers(2 * PLATFORM_CUSTOMERS)))).toEqual([]);
  });

  it('are sends like others where few feed somebody, or wallets that never traded', () => {
    const few = feeding(payers.slice(1), 'mule');
    expect(mayFeedPlatforms(few)).toBe(false);
    expect(withoutShares(few, tradedBy(payers))).toEqual(few);
    const idle = feeding(payers, 'mule');
    expect(withoutShares(idle, tradedBy(payers.slice(1)))).toEqual(idle);
  });

  it('are two percent at most of what somebody traded, over all of its trades', () => {
    const more = feeding(payers, 'mule');
    expect(withoutShares(more, tradedBy(payers, 499n))).toEqual(more);
    const twice = [...feeding(payers, 'mule'), ...feeding(payers, 'mule')];
    expect(withoutShares(twice, tradedBy(payers))).toEqual(twice);
    // What the hand itself gives to a wallet that customers feed is no share.
    const beside = hidden(sends('hand>platform:1000'));
    expect(withoutShares([...feeding(payers, 'platform'), ...beside], tradedBy([...payers, 'hand']))).toEqual(beside);
  });

  it('cover no hand-out: the same few payers stand for one receiver, not for eight', () => {
    const mules = Array.from({ length: 8 }, (_, i) => `m${i}`);
    const hand = hidden(sends(...mules.map((mule) => `hand>${mule}:10`)));
    const fed = feeding(customers(10), ...mules);
    const left = withoutShares([...hand, ...fed], tradedBy([...customers(10), 'hand']));
    expect(left).toHaveLength(88);
    expect(judge(left)).toMatchObject({ verdict: 'manufactured_holders', flagged: true });
    const paidDearly = feeding(customers(8 * PLATFORM_CUSTOMERS), ...mules);
    expect(withoutShares(paidDearly, tradedBy(customers(8 * PLATFORM_CUSTOMERS)))).toEqual([]);
  });

  it('are taken by nobody who sends the token on, and inside trades alone', () => {
    const relayed = [...feeding(payers, 'mule'), ...sends('mule>x:50')];
    expect(withoutShares(relayed, tradedBy(payers))).toEqual(relayed);
    const shown = feeding(payers, 'friend').map((row) => ({ ...row, hidden: false }));
    expect(mayFeedPlatforms(shown)).toBe(false);
    expect(withoutShares([...shown, ...feeding(payers, 'friend')], tradedBy(payers))).toEqual(shown);
  });
});
