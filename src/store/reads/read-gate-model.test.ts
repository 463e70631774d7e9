import fc from 'fast-check';
import { expect, it } from 'vitest';
import { asker, LIMITS, openGate, turn } from '../../../test/support/read-gates.ts';
import type { ReadFault } from './read-fault.ts';
import type { Seat } from './read-gate.ts';
import type { Asker, Share } from './reader.ts';

type Step = { readonly act: 'enter' | 'leave' | 'done' | 'wait'; readonly who: number; readonly key: number };

const steps = fc.array(
  fc.record<Step>({
    act: fc.constantFrom('enter', 'enter', 'leave', 'done', 'done', 'wait'),
    who: fc.nat(3),
    key: fc.nat(2),
  }),
  { maxLength: 80 },
);

/** A request with the reads that it has asked for. */
interface Request {
  readonly asker: Asker;
  readonly who: number;
}
interface Read {
  readonly request: Request;
  state: 'waiting' | 'under way' | 'done' | 'refused' | 'gone';
  seat?: Seat;
}

it('bounds are never exceeded, what is let in ends once, and nobody has two turns while another account waits for one', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (script) => {
      const { clock, gate } = openGate();
      const reads: Read[] = [];
      const requests: Request[] = [];
      const of = (state: Read['state'], test: (read: Read) => boolean = () => true) =>
        reads.filter((read) => read.state === state && test(read));
      /** Accounts that had a turn in the last step. */
      let turns: number[] = [];
      /** Turns of others since an account has been waiting for one that it may have. */
      let passed = new Map<number, Set<number>>();
      const countOf = (test: (share: Share) => boolean) =>
        of('under way', ({ request }) => test(request.asker.share)).length;
      const mayRead = ({ request: { asker: waits } }: Read) =>
        countOf(({ account }) => account === waits.share.account) < LIMITS.perAccount &&
        countOf(({ key }) => key === waits.share.key) < LIMITS.perKey;
      const check = () => {
        expect(gate.figures).toMatchObject({ underWay: of('under way').length, waiting: of('waiting').length });
        expect(of('under way').length).toBeLessThanOrEqual(LIMITS.places - LIMITS.kept);
        for (const { request } of of('under way')) {
          const { account, key } = request.asker.share;
          expect(countOf((share) => share.account === account)).toBeLessThanOrEqual(LIMITS.perAccount);
          expect(countOf((share) => share.key === key)).toBeLessThanOrEqual(LIMITS.perKey);
        }
        const ready = new Set(of('waiting', mayRead).map(({ request }) => request.who));
        if (of('under way').length < LIMITS.places - LIMITS.kept) expect([...ready]).toEqual([]);
        for (const who of ready) {
          const others = turns.includes(who) ? [] : turns;
          const had = passed.get(who) ?? new Set();
          for (const other of others) expect(had.has(other)).toBe(false);
          passed.set(who, turns.includes(who) ? new Set() : new Set([...had, ...others]));
        }
        passed = new Map([...passed].filter(([who]) => ready.has(who)));
        turns = [];
      };
      const begin = (request: Request) => {
        const read: Read = { request, state: 'waiting' };
        reads.push(read);
        gate.enter(request.asker).then(
          (seat) => {
            expect(read.state).toBe('waiting');
            turns.push(request.who);
            read.state = 'under way';
            read.seat = seat;
          },
          (fault: ReadFault) => {
            expect(read.state).toBe('waiting');
            read.state = fault.code === 'abandoned' ? 'gone' : 'refused';
          },
        );
      };
      for (const { act, who, key } of script) {
        if (act === 'enter') {
          const open = requests.filter((each) => each.who === who && each.asker.left === undefined);
          const request = key === 2 && open.length > 0 ? open[0]! : { who, asker: asker(`${who}`, `${who} ${key}`) };
          requests.push(request);
          begin(request);
        } else if (act === 'leave') {
          requests.find((each) => each.who === who && each.asker.left === undefined)?.asker.leave();
        } else if (act === 'done') {
          const [read] = of('under way', (each) => each.request.who === who);
          if (read !== undefined) {
            read.state = 'done';
            read.seat?.leave();
            read.seat?.leave();
          }
        } else await clock.advance(500);
        await turn();
        check();
      }
      while (of('under way').length > 0) {
        for (const read of of('under way')) {
          read.state = 'done';
          read.seat?.leave();
        }
        await turn();
        check();
      }
      expect(of('waiting')).toEqual([]);
      expect(gate.figures).toMatchObject({ underWay: 0, waiting: 0 });
    }),
    { numRuns: 200 },
  );
});
