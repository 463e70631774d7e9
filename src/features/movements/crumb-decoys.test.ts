import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge, type Known, sends } from '../../../test/support/send-rows.ts';

/** Whoever has something to hide throws crumbs to others, and to wallets of their own by which crumbs are told. */

const BAG = 100_000;
const numbered = (count: number, name: string) => Array.from({ length: count }, (_, at) => `${name}${at}`);
/** Each passes on so much of a hundred of what it got. */
const chain = (count: number, onward = 100) =>
  numbered(count, 'r').map((to, hop) => {
    const from = hop === 0 ? 'd' : `r${hop - 1}`;
    return `${from}>${to}:${Math.floor(BAG * (onward / 100) ** hop)}:${hop}`;
  });
const given = (amounts: readonly number[], to = 's') => amounts.map((amount, at) => `d>${to}${at}:${amount}:0`);
const crumbs = (count: number, amount = 1) => numbered(count, 'x').map((to) => `z>${to}:${amount}:50`);
const verdictOf = (rows: readonly string[], known: Known = {}) => {
  const { verdict, flagged } = judge(sends(...rows), known);
  return flagged ? verdict : undefined;
};
const holders = { bought: numbered(60, 'x') };

describe('crumbs beside decoys', () => {
  it('hide no chain one of whose relays gets next to nothing', () => {
    expect(verdictOf([...chain(5), ...crumbs(40)], holders)).toBe('relay_chain');
    const decoy = ['d>t:1:20', 't>u:1:21'];
    expect(verdictOf([...chain(5), ...decoy, ...crumbs(40)], holders)).toBe('relay_chain');
  });

  it('hide no chain that hands on half of it at each hop', () => {
    expect(verdictOf(chain(6, 50))).toBe('relay_chain');
    expect(verdictOf([...chain(6, 50), ...crumbs(8, 640)], holders)).toBe('relay_chain');
  });

  it('hide no made holders beside smaller ones', () => {
    const large = [BAG, BAG, BAG, BAG];
    expect(verdictOf([...given([...large, BAG / 8]), ...crumbs(40, 2_000)], holders)).toBe('manufactured_holders');
    // Four are no more than a team, and holders that got as much as the others are no crumbs.
    expect(verdictOf([...given([...large, 1]), ...crumbs(40)], holders)).toBeUndefined();
    expect(verdictOf([...given([...large, BAG / 8]), ...crumbs(20, 8_000)], holders)).toBeUndefined();
  });

  it('hide no hand-out that go from the same hand to people who trade other tokens', () => {
    const strangers = given(Array<number>(20).fill(BAG));
    const people = given(Array<number>(30).fill(1), 'p');
    expect(verdictOf([...strangers, ...people], { entered: numbered(30, 'p') })).toBe('manufactured_holders');
    const gifts = given(Array<number>(30).fill(BAG / 5), 'p');
    expect(verdictOf([...strangers, ...gifts], { entered: numbered(30, 'p') })).toBeUndefined();
  });
});

describe('a service that pays people and strangers alike', () => {
  it('makes no holders, however far amounts lie apart', () => {
    const amounts = Array.from({ length: 80 }, (_, at) => Math.floor(10 ** (2 + ((at * 7) % 40) / 10)));
    const people = numbered(80, 's').filter((_, at) => at % 3 > 0);
    expect(verdictOf(given(amounts), { entered: people })).toBeUndefined();
    const few = numbered(80, 's').filter((_, at) => at % 3 === 0);
    expect(verdictOf(given(amounts), { entered: few })).toBeUndefined();
  });
});

describe('whatever is thrown about for a tenth of the bag', () => {
  const amount = fc.integer({ min: 1, max: 100 });
  /** Of each kind so many, each of so few: to holders, to strangers, to traders, and passed on. */
  const thrown = fc.record({
    holders: fc.array(amount, { maxLength: 40 }),
    strangers: fc.array(amount, { maxLength: 20 }),
    people: fc.array(amount, { maxLength: 20 }),
    passed: fc.array(amount, { maxLength: 10 }),
    fromSameHand: fc.boolean(),
  });
  const rowsOf = (of: typeof thrown extends fc.Arbitrary<infer T> ? T : never) => {
    const hand = of.fromSameHand ? 'd' : 'z';
    return [
      ...of.holders.map((each, at) => `${hand}>x${at}:${each}:50`),
      ...of.strangers.map((each, at) => `${hand}>y${at}:${each}:51`),
      ...of.people.map((each, at) => `${hand}>p${at}:${each}:52`),
      ...of.passed.flatMap((each, at) => [`${hand}>t${at}:${each}:53`, `t${at}>u${at}:${each}:54`]),
    ];
  };
  const known = { bought: numbered(40, 'x'), entered: numbered(20, 'p') };

  it('a chain is told', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 6, max: 14 }),
        fc.integer({ min: 60, max: 100 }),
        thrown,
        (hops, onward, decoys) => {
          expect(verdictOf([...chain(hops, onward), ...rowsOf(decoys)], known)).toBeDefined();
        },
      ),
    );
  });

  it('made holders are told', () => {
    const amounts = fc.array(fc.integer({ min: BAG / 10, max: BAG }), { minLength: 7, maxLength: 30 });
    fc.assert(
      fc.property(amounts, thrown, (bags, decoys) => {
        expect(verdictOf([...given(bags), ...rowsOf(decoys)], known)).toBeDefined();
      }),
    );
  });
});
