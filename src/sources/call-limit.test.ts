import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CallOutcome, type CallTicket, createCallLimit } from './call-limit.ts';

const ANSWERED: CallOutcome = { kind: 'answered' };
const REFUSED: CallOutcome = { kind: 'throttled', afterMs: 0 };
const middle = () => 0.5;

/** Starts calls as long as the limit lets it. */
function fill(limit: ReturnType<typeof createCallLimit>): CallTicket[] {
  const tickets: CallTicket[] = [];
  while (limit.open) tickets.push(limit.start());
  return tickets;
}

describe('the limit of calls at once', () => {
  it('grows with every answer at first, and stays under its maximum', () => {
    const limit = createCallLimit({ initial: 2, max: 9 });
    const grown = Array.from({ length: 8 }, () => {
      // All but one go on, so that the limit stays full.
      const [first, ...others] = fill(limit);
      limit.end(first!, ANSWERED);
      for (const ticket of others) limit.end(ticket, { kind: 'abandoned' });
      return limit.limit;
    });
    expect(grown).toEqual([3, 4, 5, 6, 7, 8, 9, 9]);
  });

  it('does not grow by calls that do not fill it', () => {
    const limit = createCallLimit({ initial: 4 });
    for (let call = 0; call < 100; call += 1) limit.end(limit.start(), ANSWERED);
    expect(limit.limit).toBe(4);
  });

  it('is halved once by a burst of refusals, and opens again through one call alone', () => {
    const limit = createCallLimit({ initial: 8, random: middle });
    const burst = fill(limit);
    expect(burst).toHaveLength(8);
    expect(burst.map((ticket) => limit.end(ticket, REFUSED))).toEqual([375, 0, 0, 0, 0, 0, 0, 0]);
    expect(limit.limit).toBe(4);
    const probe = fill(limit);
    expect(probe).toHaveLength(1);
    limit.end(probe[0]!, ANSWERED);
    expect(fill(limit)).toHaveLength(4);
  });

  it('does not take the answer of an older call for the node being ready', () => {
    const limit = createCallLimit({ initial: 4 });
    const [first, second, ...others] = fill(limit);
    limit.end(first!, REFUSED);
    for (const ticket of others) limit.end(ticket, { kind: 'abandoned' });
    expect(fill(limit)).toHaveLength(1);
    limit.end(second!, ANSWERED);
    expect(limit).toMatchObject({ limit: 2, inFlight: 1, open: false });
  });

  it('pauses for what the node names, also when an older call brings the wish', () => {
    const limit = createCallLimit({ initial: 2 });
    const [first, second] = fill(limit);
    expect(limit.end(first!, { kind: 'throttled', afterMs: 7_000 })).toBe(7_000);
    expect(limit.end(second!, { kind: 'throttled', afterMs: 9_000 })).toBe(9_000);
    expect(limit).toMatchObject({ limit: 1, throttled: 2, inFlight: 0 });
  });

  it('makes pauses longer while the node refuses, and shorter again with its answers', () => {
    const limit = createCallLimit({ initial: 1, random: middle });
    const refuse = () => limit.end(limit.start(), REFUSED);
    expect([refuse(), refuse(), refuse()]).toEqual([375, 750, 1_500]);
    limit.end(limit.start(), ANSWERED);
    limit.end(limit.start(), ANSWERED);
    expect(refuse()).toBe(750);
    for (let call = 0; call < 20; call += 1) refuse();
    expect(refuse()).toBe(22_500);
  });

  it('lets a call whose asker went away teach nothing, and lets the next one ask instead', () => {
    const limit = createCallLimit({ initial: 1 });
    limit.end(limit.start(), { kind: 'faltered', afterMs: 0 });
    limit.end(limit.start(), { kind: 'abandoned' });
    expect(limit).toMatchObject({ open: true, faltered: 1, throttled: 0, inFlight: 0 });
  });

  it('settles near what a node can take, whatever that is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 32 }), (capacity) => {
        const limit = createCallLimit({ random: middle });
        const seen: number[] = [];
        for (let round = 0; round < 400; round += 1) {
          const calls = fill(limit);
          calls.forEach((ticket, place) => {
            limit.end(ticket, place < capacity ? ANSWERED : REFUSED);
          });
          if (round >= 200) seen.push(calls.length);
        }
        expect(Math.max(...seen)).toBeLessThanOrEqual(Math.min(32, capacity + 1));
        expect(seen.reduce((sum, calls) => sum + calls, 0) / seen.length).toBeGreaterThan(capacity / 3);
      }),
    );
  });

  it('never has more under way than its maximum and always lets somebody through in the end', () => {
    const outcome = fc.constantFrom<CallOutcome>(
      ANSWERED,
      REFUSED,
      { kind: 'faltered', afterMs: 0 },
      { kind: 'abandoned' },
    );
    const step = fc.oneof(fc.constant('start' as const), fc.record({ place: fc.nat(31), outcome }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const limit = createCallLimit({ max: 6 });
        const open: CallTicket[] = [];
        for (const each of steps) {
          if (each === 'start') {
            if (limit.open) open.push(limit.start());
          } else if (open.length > 0) {
            limit.end(open.splice(each.place % open.length, 1)[0]!, each.outcome);
          }
          expect(limit.inFlight).toBe(open.length);
          expect(open.length).toBeLessThanOrEqual(6);
          expect(limit.limit).toBeGreaterThanOrEqual(1);
          expect(limit.limit).toBeLessThanOrEqual(6);
        }
        for (const ticket of open) limit.end(ticket, { kind: 'abandoned' });
        expect(limit.open).toBe(true);
      }),
    );
  });
});
