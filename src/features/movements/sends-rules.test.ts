import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { handout, judge, SENT, sends, verdictOf } from '../../../test/support/send-rows.ts';
import type { Address } from '../../chain/address.ts';
import { encodeAddress } from '../../chain/keys/base58.ts';
import { findProgramAddress } from '../../chain/keys/pda.ts';
import { MIN_FLAGGED_RECEIVERS } from './crumb-rules.ts';
import type { ReceiverPast, SendRow } from './made-holder-rules.ts';
import { judgeSends, sendsOfPeople } from './sends-rules.ts';

const SYSTEM_PROGRAM = '11111111111111111111111111111111' as Address;

describe('the verdict on sends', () => {
  it('is none when nothing was sent', () => {
    expect(judge([])).toEqual({
      ...{ sends: 0, senders: 0, receivers: 0, ambiguous: 0, freshReceivers: 0, relayReceivers: 0 },
      freshTraders: undefined,
      ...{ flagged: false, verdict: undefined, distributors: [], hidden: undefined },
      judged: { of: 'all', receivers: 0, freshReceivers: 0, relayReceivers: 0 },
    });
  });

  it('takes nobody for fed by a relay whose pairing is one of several', () => {
    const chain = sends('d>a', 'a>b', 'b>c', 'd>e', 'd>f');
    const holders = { bought: ['a', 'b', 'c', 'e', 'f'] };
    expect(verdictOf(chain, holders)).toBe('relay_chain');
    const unsure = chain.map((row) => ({ ...row, ambiguous: true }));
    expect(judge(unsure, holders)).toMatchObject({ relayReceivers: 2, verdict: 'to_existing_holders' });
  });

  it('is mixed for people who move tokens to second wallets of theirs', () => {
    expect(verdictOf(sends('a>a1', 'b>b1', 'c>c1', 'e>e1', 'f>f1', 'g>g1'))).toBe('mixed');
  });

  it('is to_existing_holders when a fifth at most had never bought', () => {
    const holders = ['d0', 'd1', 'd2', 'd3'];
    expect(verdictOf(handout(5), { bought: holders })).toBe('to_existing_holders');
    expect(verdictOf(handout(5), { bought: holders.slice(1) })).toBe('mixed');
  });

  it('is relay_chain for tokens passed on and on, before anything else', () => {
    const chain = sends('d>a', 'a>b', 'b>c', 'c>e');
    expect(verdictOf(chain)).toBe('relay_chain');
    expect(verdictOf(chain, { bought: ['a', 'b', 'c', 'e'] })).toBe('relay_chain');
    expect(judge(chain)).toMatchObject({ relayReceivers: 3, receivers: 4, flagged: false });
    expect(judge(sends('d>a', 'a>b', 'b>c', 'c>e', 'e>f')).flagged).toBe(true);
  });

  it('is relay_chain for two relays only when one got its tokens from the other', () => {
    const holders = { bought: ['a', 'b', 'c', 'e', 'f'] };
    expect(verdictOf(sends('d>a', 'a>b', 'b>c', 'd>e', 'd>f'), holders)).toBe('relay_chain');
    expect(verdictOf(sends('d>a', 'a>b', 'd>c', 'c>e', 'd>f'), holders)).toBe('to_existing_holders');
  });

  it('is relay_chain for a tree of relays', () => {
    const tree = ['a', 'b', 'c'].flatMap((relay) => [
      `d>${relay}:30:1`,
      ...[1, 2, 3].map((i) => `${relay}>${relay}${i}:10:2`),
    ]);
    expect(judge(sends(...tree))).toMatchObject({
      verdict: 'relay_chain',
      relayReceivers: 3,
      flagged: true,
    });
  });

  it('is no relay_chain for a hand-out through one wallet', () => {
    const rows = sends('dev>d:1000', ...Array.from({ length: 9 }, (_, i) => `d>d${i}`));
    const holders = rows.map(({ receiver }) => receiver as string);
    expect(judge(rows, { bought: holders })).toMatchObject({ relayReceivers: 0, verdict: 'to_existing_holders' });
    const all = sends('dev>d:90', ...Array.from({ length: 9 }, (_, i) => `d>d${i}`));
    expect(judge(all, { bought: holders })).toMatchObject({ relayReceivers: 1, verdict: 'to_existing_holders' });
  });

  it('is no relay_chain for a hand-out through a few wallets to many', () => {
    const hubs = ['a', 'b', 'c'].flatMap((hub) => [
      `d>${hub}:100:1`,
      ...Array.from({ length: 10 }, (_, i) => `${hub}>${hub}${i}:10:2`),
    ]);
    expect(judge(sends(...hubs))).toMatchObject({ relayReceivers: 3, verdict: 'manufactured_holders' });
  });

  it('is no relay_chain for a few among many who move theirs', () => {
    const moved = sends(...Array.from({ length: 24 }, (_, i) => `d>d${i}`), 'd0>x0', 'd1>x1', 'd2>x2');
    expect(judge(moved)).toMatchObject({ relayReceivers: 3, verdict: 'manufactured_holders' });
  });

  it('sees a chain and a hand-out that go beside each other, so that neither hides the other', () => {
    const chain = sends('r>r1:10:1', 'r1>r2:10:2', 'r2>r3:10:3', 'r3>r4:10:4');
    expect(judge([...chain, ...handout(5)])).toMatchObject({ verdict: 'manufactured_holders', flagged: true });
    const longer = [...chain, ...sends('r4>r5:10:5', 'r5>r6:10:6')];
    const odd = sends(...Array.from({ length: 2 }, (_, i) => `x${i}>y${i}`));
    expect(judge([...longer, ...handout(5), ...odd])).toMatchObject({ verdict: 'relay_chain', flagged: true });
    // Strays beside them do not part the two.
    const short = sends('r>r1:10:1', 'r1>r2:10:2', 'r2>r3:10:3');
    const strays = sends(...Array.from({ length: 4 }, (_, i) => `x${i}>y${i}`));
    expect(judge([...short, ...handout(7), ...strays])).toMatchObject({
      verdict: 'manufactured_holders',
      flagged: true,
    });
    const many = sends(...Array.from({ length: 8 }, (_, i) => `x${i}>y${i}`));
    expect(judge([...longer, ...handout(5), ...many])).toMatchObject({ verdict: 'mixed', flagged: false });
  });

  it('takes nobody for a relay who sends a smaller part on, or sent before it got any', () => {
    expect(judge(sends('d>a:100', 'a>b:49')).relayReceivers).toBe(0);
    expect(judge(sends('d>a:100', 'a>b:49', 'a>c:1')).relayReceivers).toBe(1);
    expect(judge(sends('a>b:100', 'd>a:100')).relayReceivers).toBe(0);
  });
});

describe('sends inside trades', () => {
  const hidden = (rows: readonly SendRow[]) => rows.map((row) => ({ ...row, hidden: true }));

  it('make the verdict, and are no figure of the others', () => {
    const judgement = judge([...sends('a>b'), ...hidden(handout(6))], { bought: ['b'] });
    expect(judgement).toMatchObject({
      ...{ sends: 1, senders: 1, receivers: 1, freshReceivers: 0, verdict: 'manufactured_holders', flagged: true },
      hidden: { sends: 6, receivers: 6, tokens: 60n },
      judged: { receivers: 7, freshReceivers: 6 },
    });
    expect(judgement.distributors).toHaveLength(1);
  });

  it('are relays like others', () => {
    const chain = [...sends('d>a:10:0'), ...hidden(sends('a>b:10:1', 'b>c:10:2')), ...sends('c>e:10:3', 'e>f:10:4')];
    expect(judge(chain)).toMatchObject({ verdict: 'relay_chain', flagged: true, relayReceivers: 1 });
  });

  it('are judged apart, so that crumbs to buyers outside trades make them no smaller', () => {
    const crumbs = sends(...Array.from({ length: 30 }, (_, i) => `d>x${i}:10`));
    const buyers = { bought: crumbs.map(({ receiver }) => receiver as string) };
    expect(judge([...crumbs, ...hidden(handout(6))], buyers)).toMatchObject({
      ...{ verdict: 'manufactured_holders', flagged: true, receivers: 30, freshReceivers: 0 },
      judged: { of: 'inside', receivers: 6, freshReceivers: 6 },
    });
    expect(judge([...handout(6), ...hidden(crumbs)], buyers)).toMatchObject({
      ...{ verdict: 'manufactured_holders', flagged: true, hidden: { sends: 30 } },
      judged: { of: 'outside', receivers: 6 },
    });
    // Neither is flagged: what all of them are is told.
    expect(judge([...crumbs, ...hidden(handout(4))], buyers)).toMatchObject({
      ...{ verdict: 'to_existing_holders', flagged: false },
      judged: { of: 'all', receivers: 34 },
    });
  });

  it('do not make a receiver fresh that bought before it was sent any openly', () => {
    const rows = [...hidden(sends('d>a:5:1')), ...sends('d>a:5:9')];
    const past = { bought: false, boughtBeforeShown: true, entered: true };
    const judgement = judgeSends(rows, new Map([['a' as Address, past]]), { creator: undefined, time: 0 });
    expect(judgement).toMatchObject({ freshReceivers: 0, judged: { freshReceivers: 1 } });
  });
});

describe('figures of sends', () => {
  it('count wallets once, and the widest transaction by its receivers', () => {
    const rows = sends('d>a:1:7', 'd>b:2:7', 'd>b:3:7', 'd>c:4:8', 'e>a:5:9');
    const judgement = judge([{ ...rows[0]!, ambiguous: true }, ...rows.slice(1)], { bought: ['b'] });
    expect(judgement).toMatchObject({ sends: 5, senders: 2, receivers: 3, ambiguous: 1, freshReceivers: 2 });
    expect(judgement.distributors).toEqual([
      { wallet: 'd', sends: 4, receivers: 3, freshReceivers: 2, maxFanout: 2, tokens: 10n },
      { wallet: 'e', sends: 1, receivers: 1, freshReceivers: 1, maxFanout: 1, tokens: 5n },
    ]);
  });
});

describe('sends between people', () => {
  const program = findProgramAddress([Uint8Array.of(1)], SYSTEM_PROGRAM).address;
  const person = encodeAddress(new Uint8Array(32)); // Zero is a point of the curve.

  it('are those from and to nobody that is named', () => {
    const rows = sends('a>b', 'pool>a', 'b>pool', 'b>a');
    expect(sendsOfPeople(rows, (wallet) => wallet === 'pool')).toEqual([rows[0], rows[3]]);
  });

  it('are without a market that nobody named, which no person can be', () => {
    const through = (hub: string) =>
      sends(`a>${hub}`, `b>${hub}`, `c>${hub}`, `${hub}>x`, `${hub}>y`, `${hub}>z`, 'a>b');
    expect(sendsOfPeople(through(program), () => false)).toEqual([through(program)[6]]);
    expect(sendsOfPeople(through(person), () => false)).toHaveLength(7);
    // A vault that gives back what it took.
    expect(sendsOfPeople(sends(`a>${program}`, `${program}>a`), () => false)).toHaveLength(2);
  });
});

const rowsOf = fc
  .array(
    fc.record({
      sender: fc.constantFrom(...'abcdefghij').map((name) => name as Address),
      receiver: fc.constantFrom(...'abcdefghij').map((name) => name as Address),
      amount: fc.bigInt({ min: 1n, max: 100n }),
      ambiguous: fc.boolean(),
      together: fc.boolean(),
    }),
    { maxLength: 30 },
  )
  .map((shapes) => {
    let slot = 1_000;
    let ix_index = 100;
    return shapes.map(({ together, ...row }): SendRow => {
      if (together) ix_index += 1;
      else {
        slot += 1;
        ix_index = Number(row.amount);
      }
      return { ...row, slot, block_index: 2, ix_index, time: SENT, hidden: false };
    });
  });
const pastsOf = fc
  .dictionary(
    fc.constantFrom(...'abcdefghij'),
    fc.record({ bought: fc.boolean(), entered: fc.option(fc.boolean(), { nil: undefined }) }),
  )
  .map((entries) => new Map(Object.entries(entries)) as Map<Address | '', ReceiverPast>);

const creatorOf = fc.constantFrom(undefined, 'a' as Address, 'z' as Address);

describe('whatever was sent', () => {
  it('the figures are those of plain sets', () => {
    fc.assert(
      fc.property(rowsOf, pastsOf, creatorOf, (rows, known, creator) => {
        const judgement = judgeSends(rows, known, { creator, time: 0 });
        const receivers = [...new Set(rows.map(({ receiver }) => receiver))];
        expect(judgement.sends).toBe(rows.length);
        expect(judgement.senders).toBe(new Set(rows.map(({ sender }) => sender)).size);
        expect(judgement.receivers).toBe(receivers.length);
        expect(judgement.ambiguous).toBe(rows.filter(({ ambiguous }) => ambiguous).length);
        expect(judgement.freshReceivers).toBe(receivers.filter((each) => known.get(each)?.bought !== true).length);
        expect(judgement.relayReceivers).toBe(receivers.filter((each) => forwards(rows, each)).length);
        const totals = judgement.distributors.map(({ sends: own, tokens }) => ({ own, tokens }));
        expect(totals.reduce((sum, { own }) => sum + own, 0)).toBe(rows.length);
        expect(totals.reduce((sum, { tokens }) => sum + tokens, 0n)).toBe(
          rows.reduce((sum, { amount }) => sum + amount, 0n),
        );
        for (const { wallet, maxFanout, receivers: reached } of judgement.distributors) {
          const widest = Math.max(
            ...rows.map(
              ({ slot }) =>
                new Set(
                  rows.filter((row) => row.slot === slot && row.sender === wallet).map(({ receiver }) => receiver),
                ).size,
            ),
          );
          expect(maxFanout).toBe(widest);
          expect(reached).toBe(
            new Set(rows.filter(({ sender }) => sender === wallet).map(({ receiver }) => receiver)).size,
          );
        }
      }),
    );
  });

  it('the order in which rows come changes nothing, and few receivers are never flagged', () => {
    fc.assert(
      fc.property(rowsOf, pastsOf, creatorOf, fc.infiniteStream(fc.nat()), (rows, known, creator, keys) => {
        const order = new Map(rows.map((row) => [row, keys.next().value]));
        const judgement = judgeSends(rows, known, { creator, time: 0 });
        expect(
          judgeSends(
            rows.toSorted((a, b) => order.get(a)! - order.get(b)!),
            known,
            { creator, time: 0 },
          ),
        ).toEqual(judgement);
        if (judgement.receivers < MIN_FLAGGED_RECEIVERS) expect(judgement.flagged).toBe(false);
        if (judgement.verdict === 'mixed' || judgement.verdict === 'to_existing_holders')
          expect(judgement.flagged).toBe(false);
      }),
    );
  });
});

/** True when the wallet, after it got some, had at some time sent on at least half of what it had got by then. */
function forwards(rows: readonly SendRow[], wallet: Address | ''): boolean {
  const sum = (some: readonly SendRow[]) => some.reduce((total, { amount }) => total + amount, 0n);
  const first = rows.findIndex(({ receiver }) => receiver === wallet);
  return rows.some((row, place) => {
    if (row.sender !== wallet || first === -1 || place <= first) return false;
    const passed = sum(rows.slice(first + 1, place + 1).filter(({ sender }) => sender === wallet));
    return 2n * passed >= sum(rows.slice(0, place).filter(({ receiver }) => receiver === wallet));
  });
}
