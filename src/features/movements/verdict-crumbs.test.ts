import { describe, expect, it } from 'vitest';
import { handout, judge, sends } from '../../../test/support/send-rows.ts';
import type { Address } from '../../chain/address.ts';
import type { SendRow } from './made-holder-rules.ts';

const hidden = (rows: readonly SendRow[]) => rows.map((row) => ({ ...row, hidden: true }));

describe('crumbs', () => {
  it('make a hand-out inside trades no smaller', () => {
    const crumbs = (amount: number) => sends(...Array.from({ length: 30 }, (_, i) => `d>x${i}:${amount}`));
    const bought = crumbs(1).map(({ receiver }) => receiver as string);
    const given = handout(6).map((row) => ({ ...row, amount: 1_000n }));
    expect(judge(hidden([...given, ...crumbs(99)]), { bought }).verdict).toBe('manufactured_holders');
    expect(judge(hidden([...given, ...crumbs(100)]), { bought }).verdict).toBe('to_existing_holders');
  });

  it('make a hand-out no smaller that go to made up wallets too, nor where one of them got nearly all', () => {
    const bought = Array.from({ length: 60 }, (_, i) => `x${i}`);
    const crumbs = sends(...bought.map((wallet) => `d>${wallet}:20`));
    const small = handout(20).map((row, i) => ({ ...row, receiver: `s${i}` as Address, amount: 20n }));
    const given = handout(8).map((row) => ({ ...row, amount: 1_000n }));
    expect(judge([...given, ...small, ...crumbs], { bought }).verdict).toBe('manufactured_holders');
    const [first, ...others] = given;
    const uneven = [{ ...first!, amount: 1_000_000n }, ...others, ...small];
    const holders = sends(...bought.map((wallet) => `d>${wallet}:900`));
    expect(judge([...uneven, ...crumbs], { bought }).verdict).toBe('manufactured_holders');
    expect(judge([...uneven, ...holders], { bought }).verdict).toBe('mixed');
  });

  it('are not what many got beside a few who send the same tokens round and round', () => {
    const round = Array.from({ length: 60 }, (_, i) => `r${i % 3}>r${(i + 1) % 3}:100:${i}`);
    const bought = Array.from({ length: 40 }, (_, i) => `x${i}`);
    const honest = bought.map((wallet) => `d>${wallet}:9:90`);
    expect(judge(sends(...round, ...honest), { bought }).verdict).toBe('to_existing_holders');
  });

  it('are what ten holders got beside one who moves a large bag about', () => {
    const moved = ['w>a:1000:1', 'a>b:1000:2', 'b>c:1000:3'];
    const bought = Array.from({ length: 10 }, (_, i) => `x${i}`);
    const honest = bought.map((wallet) => `d>${wallet}:30:9`);
    expect(judge(sends(...moved, ...honest), { bought })).toMatchObject({
      ...{ verdict: 'mixed', flagged: false },
    });
  });

  it('hide neither of a chain and a hand-out that go beside each other', () => {
    const given = handout(5).map((row) => ({ ...row, amount: 1_000n }));
    const chain = sends('z>a:1000:1', 'a>b:1000:2', 'b>c:1000:3', 'c>e:1000:4');
    const real = sends(...Array.from({ length: 4 }, (_, i) => `x${i}>y${i}:1000`));
    const bought = [...Array.from({ length: 40 }, (_, i) => `k${i}`), ...Array.from({ length: 4 }, (_, i) => `y${i}`)];
    const crumbs = sends(...Array.from({ length: 40 }, (_, i) => `d>k${i}:1`));
    const asked = { bought };
    expect(judge([...given, ...chain, ...real], asked)).toMatchObject({
      verdict: 'manufactured_holders',
      flagged: true,
    });
    expect(judge([...given, ...chain, ...real, ...crumbs], asked)).toMatchObject({
      ...{ verdict: 'manufactured_holders', flagged: true },
    });
  });

  it('make a chain no smaller, however many and from whatever hand, until they cost half as much', () => {
    const chain = ['d>a:1000:1', 'a>b:1000:2', 'b>c:1000:3', 'c>e:1000:4', 'e>f:1000:5'];
    const crumbs = (amount: number) =>
      Array.from({ length: 30 }, (_, i) => `${i % 2 === 0 ? 'd' : 'z'}>x${i}:${amount}:9`);
    const bought = Array.from({ length: 30 }, (_, i) => `x${i}`);
    const of = (amount: number) => judge(sends(...chain, ...crumbs(amount)), { bought }).verdict;
    expect([1, 16, 17, 60, 100].map(of)).toEqual([
      ...['relay_chain', 'relay_chain', 'to_existing_holders', 'to_existing_holders', 'to_existing_holders'],
    ]);
    // Crumbs that are passed on make no smaller what the others got.
    const passed = Array.from({ length: 30 }, (_, i) => [`d>x${i}:1:9`, `x${i}>y${i % 5}:1:10`]).flat();
    expect(judge(sends(...chain, ...crumbs(1), ...passed), { bought }).verdict).toBe('relay_chain');
  });

  it('are no small parts that a few pass on to many, who make no chain', () => {
    const hubs = ['a', 'b', 'c'].flatMap((hub) => [
      `d>${hub}:1000:1`,
      ...Array.from({ length: 12 }, (_, i) => `${hub}>${hub}${i}:83:2`),
    ]);
    expect(judge(sends(...hubs))).toMatchObject({ relayReceivers: 3, verdict: 'manufactured_holders' });
  });
});
