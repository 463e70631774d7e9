import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeAddress } from '../chain/keys/base58.ts';
import { CHUNK_SLOTS } from '../store/clickhouse/schema/leader-tables.ts';
import { readScheduleRows, scheduleRows } from './turn-rows.ts';

const key = (number: number) => encodeAddress(new Uint8Array(32).fill(number + 1));

/** Schedules of turns of four slots, and such as change their leader anywhere. */
const SCHEDULES = fc
  .record({
    epoch: fc.nat(2_000),
    chunk: fc.integer({ min: 1, max: 120_000 }),
    before: fc.nat(20),
    turns: fc.array(fc.nat(30), { minLength: 1, maxLength: 3_000 }),
    turnSlots: fc.constantFrom(1, 3, 4),
  })
  .map(({ epoch, chunk, before, turns, turnSlots }) => {
    // Most of them lie on both sides of the edge of a chunk.
    const firstSlot = chunk * CHUNK_SLOTS - before;
    const places = Uint16Array.from(turns.flatMap((turn) => new Array<number>(turnSlots).fill(turn)));
    const identities = Array.from({ length: 31 }, (_, place) => key(place));
    return { span: { epoch, firstSlot, slots: places.length }, leaders: { identities, places } };
  });

describe('rows of a schedule', () => {
  it('are read back as what they were made of, in any order', () => {
    fc.assert(
      fc.property(SCHEDULES, ({ span, leaders }) => {
        const rows = scheduleRows(span, leaders, 1_790_000_000);
        const turned = { turns: rows.turns.toReversed(), leaders: rows.leaders.toReversed() };
        expect(readScheduleRows(span, turned)).toEqual(leaders);
        expect(rows.turns.reduce((sum, { slots }) => sum + slots, 0)).toBe(span.slots);
      }),
    );
  });

  it('take two bytes for four slots', () => {
    const places = Uint16Array.from({ length: 432_000 }, (_, slot) => Math.floor(slot / 4) % 700);
    const identities = Array.from({ length: 700 }, (_, place) => key(place % 200));
    const { turns } = scheduleRows({ epoch: 1_064, firstSlot: 459_648_000, slots: 432_000 }, { identities, places }, 0);
    expect(turns.reduce((sum, row) => sum + row.places.length, 0)).toBe(216_000);
    expect(turns.length).toBeLessThanOrEqual(107);
  });

  it('are no schedule when some are missing, doubled, cut, or of another one', () => {
    fc.assert(
      fc.property(SCHEDULES, fc.nat(), ({ span, leaders }, chance) => {
        const rows = scheduleRows(span, leaders, 0);
        const place = chance % rows.turns.length;
        const row = rows.turns[place]!;
        const withTurn = (other?: typeof row) => ({
          ...rows,
          turns: rows.turns.toSpliced(place, 1, ...(other ? [other] : [])),
        });
        expect(readScheduleRows(span, withTurn())).toBeUndefined();
        expect(readScheduleRows(span, { ...rows, turns: [...rows.turns, row] })).toBeUndefined();
        expect(readScheduleRows(span, withTurn({ ...row, places: row.places.subarray(1) }))).toBeUndefined();
        expect(readScheduleRows(span, { ...rows, leaders: rows.leaders.slice(1) })).toBeUndefined();
        const other = scheduleRows(span, { ...leaders, identities: leaders.identities.toReversed() }, 0);
        if (rows.turns.length > 1) expect(readScheduleRows(span, withTurn(other.turns[place]))).toBeUndefined();
      }),
    );
  });
});
