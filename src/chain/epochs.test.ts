import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { epochAt, isWithin } from './epochs.ts';

const MAINNET = { slotsPerEpoch: 432_000, firstNormalEpoch: 0, firstNormalSlot: 0 };
/** Of a cluster that warmed up, as testnet did. */
const WARMED = { slotsPerEpoch: 432_000, firstNormalEpoch: 14, firstNormalSlot: 524_256 };

describe('epochs', () => {
  it('are of 432,000 slots on mainnet', () => {
    expect(epochAt(MAINNET, 454_896_000)).toEqual({ epoch: 1_053, firstSlot: 454_896_000, slots: 432_000 });
    expect(epochAt(MAINNET, 454_895_999).epoch).toBe(1_052);
  });

  it('grow where a cluster began with short ones, up to the first of full length', () => {
    expect(epochAt(WARMED, 0)).toEqual({ epoch: 0, firstSlot: 0, slots: 32 });
    expect(epochAt(WARMED, 96)).toEqual({ epoch: 2, firstSlot: 96, slots: 128 });
    expect(epochAt(WARMED, 524_255).epoch).toBe(13);
    expect(epochAt(WARMED, 524_256)).toEqual({ epoch: 14, firstSlot: 524_256, slots: 432_000 });
  });

  it('hold every slot once', () => {
    fc.assert(
      fc.property(fc.constantFrom(MAINNET, WARMED), fc.nat(600_000_000), (rule, slot) => {
        const span = epochAt(rule, slot);
        expect(isWithin(span, slot)).toBe(true);
        expect(epochAt(rule, span.firstSlot + span.slots)).toMatchObject({
          epoch: span.epoch + 1,
          firstSlot: span.firstSlot + span.slots,
        });
      }),
    );
  });
});
