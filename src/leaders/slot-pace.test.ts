import { describe, expect, it } from 'vitest';
import { SlotPace } from './slot-pace.ts';

/** A pace after blocks of so many milliseconds each; times are whole seconds. */
function paceOf(slotMs: number, slots: number, from = 1_000, base = 1_790_000_000): SlotPace {
  const pace = new SlotPace();
  for (let slot = from; slot < from + slots; slot += 1) {
    pace.note({ slot, time: base + Math.floor(((slot - from) * slotMs) / 1_000) });
  }
  return pace;
}

describe('the length of a slot', () => {
  it.each([400, 350, 300, 250, 200])('of %i ms is measured to a millisecond', (slotMs) => {
    expect(Math.abs(paceOf(slotMs, 1_500).slotMs()! - slotMs)).toBeLessThanOrEqual(1);
  });

  it('is not known of nothing, of few slots, of few blocks and of blocks of one time', () => {
    expect(new SlotPace().slotMs()).toBeUndefined();
    for (const slots of [1, 2, 6, 40, 100]) expect(paceOf(400, slots).slotMs()).toBeUndefined();
    expect(Math.abs(paceOf(400, 101).slotMs()! - 400)).toBeLessThanOrEqual(5);
    const pace = new SlotPace();
    for (let block = 0; block < 31; block += 1)
      pace.note({ slot: 1_000 + 10 * block, time: 1_790_000_000 + 4 * block });
    expect(pace.slotMs()).toBeUndefined();
    pace.note({ slot: 1_310, time: 1_790_000_124 });
    expect(pace.slotMs()).toBe(400);
    expect(paceOf(0, 200).slotMs()).toBeUndefined();
  });

  it('counts slots without a block', () => {
    const pace = new SlotPace();
    for (let slot = 0; slot < 1_000; slot += 4) pace.note({ slot: slot + 5_000, time: 1_790_000_000 + slot / 4 });
    expect(pace.slotMs()).toBe(250);
  });

  it('forgets what is older than the newest thousand slots', () => {
    const pace = paceOf(400, 2_000);
    for (let slot = 3_000; slot < 4_000; slot += 1) {
      pace.note({ slot, time: 1_790_000_800 + Math.floor(((slot - 3_000) * 200) / 1_000) });
    }
    expect(Math.abs(pace.slotMs()! - 200)).toBeLessThanOrEqual(1);
    expect(pace.timeOf(2_999)).toBeUndefined();
    expect(pace.timeOf(3_000)).toBe(1_790_000_800);
    pace.note({ slot: 2_999, time: 5 });
    expect(pace.timeOf(2_999)).toBeUndefined();
  });

  it('believes no single block that tells a wrong time, and none that tells no time', () => {
    const pace = paceOf(400, 900);
    const before = pace.slotMs();
    pace.note({ slot: 1_900, time: 1_990_000_000 });
    pace.note({ slot: 1_001, time: 1 });
    pace.note({ slot: 1_901, time: 0 });
    expect(Math.abs(pace.slotMs()! - before!)).toBeLessThanOrEqual(1);
    expect(pace.timeOf(1_901)).toBeUndefined();
  });

  it('is that of the blocks that are left when some are taken back', () => {
    const pace = paceOf(400, 600);
    pace.note({ slot: 1_600, time: 1_790_000_900 });
    pace.withdraw(1_590, 1_600);
    expect(pace.timeOf(1_600)).toBeUndefined();
    expect(Math.abs(pace.slotMs()! - 400)).toBeLessThanOrEqual(2);
    const all = paceOf(400, 3);
    all.withdraw(1_000, 1_002);
    expect(all.slotMs()).toBeUndefined();
  });
});
