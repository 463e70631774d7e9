import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeAddress } from '../keys/base58.ts';
import { MalformedWire } from '../malformed-wire.ts';
import { readEpochInfoSlot, readEpochSchedule, readLeaderSchedule } from './epoch-answers.ts';

const key = (number: number) => encodeAddress(new Uint8Array(32).fill(number + 1));
/** The answer of a node for slots that are led by these, one by one. */
function answerOf(leaders: readonly number[]): Record<string, number[]> {
  const answer: Record<string, number[]> = {};
  for (const [slot, leader] of leaders.entries()) {
    answer[key(leader)] ??= [];
    answer[key(leader)]!.push(slot);
  }
  return answer;
}
const LEADERS = fc.array(fc.nat(9), { minLength: 1, maxLength: 200 });

describe('a leader schedule', () => {
  it('names the leader of every slot, the same in whichever order the node tells it', () => {
    fc.assert(
      fc.property(LEADERS, fc.infiniteStream(fc.nat()), (leaders, chance) => {
        const answer = answerOf(leaders);
        const read = readLeaderSchedule(answer, leaders.length)!;
        expect([...read.places].map((place) => read.identities[place])).toEqual(leaders.map(key));
        const turned = Object.entries(answer)
          .map(([identity, slots]) => ({ at: chance.next().value!, entry: [identity, slots.toReversed()] as const }))
          .sort((a, b) => a.at - b.at);
        expect(readLeaderSchedule(Object.fromEntries(turned.map(({ entry }) => entry)), leaders.length)).toEqual(read);
      }),
    );
  });

  it('has those with the most slots first', () => {
    expect(readLeaderSchedule(answerOf([3, 1, 3, 1, 1]), 5)!.identities).toEqual([key(1), key(3)]);
  });

  it('is not known yet where the node says null', () => {
    expect(readLeaderSchedule(null, 8)).toBeUndefined();
  });

  it.each([
    ['half of it', answerOf([1, 2]), 4],
    ['a slot beyond the epoch', answerOf([1, 2, 1]), 2],
    ['two leaders of a slot', { [key(1)]: [0, 1], [key(2)]: [1] }, 2],
    ['a slot twice', { [key(1)]: [0, 0] }, 2],
    ['a leader that is no address', { nobody: [0] }, 1],
    ['slots that are no list', { [key(1)]: 0 }, 1],
    ['a slot that is none', { [key(1)]: [0.5] }, 1],
    ['a text for a slot', { [key(1)]: ['0'] }, 1],
    ['nobody', {}, 1],
    ['a list', [[0]], 1],
    ['a text', 'no', 1],
    ['nothing', undefined, 1],
  ])('is refused when it is %s', (_what, answer, slots) => {
    expect(() => readLeaderSchedule(answer, slots)).toThrow(MalformedWire);
  });
});

describe('epochs of a node', () => {
  it('are read', () => {
    const told = { firstNormalEpoch: 14, firstNormalSlot: 524_256, slotsPerEpoch: 432_000, warmup: true };
    expect(readEpochSchedule(told)).toEqual({ firstNormalEpoch: 14, firstNormalSlot: 524_256, slotsPerEpoch: 432_000 });
    expect(readEpochInfoSlot({ absoluteSlot: 460_000_123, epoch: 1_064 })).toBe(460_000_123);
  });

  it.each([
    [null],
    [{}],
    [{ firstNormalEpoch: 0, firstNormalSlot: 0, slotsPerEpoch: 0 }],
    [{ firstNormalEpoch: 0, firstNormalSlot: 0, slotsPerEpoch: 10 ** 9 }],
    [{ firstNormalEpoch: -1, firstNormalSlot: 0, slotsPerEpoch: 432_000 }],
  ])('are refused: %j', (answer) => {
    expect(() => readEpochSchedule(answer)).toThrow(MalformedWire);
    expect(() => readEpochInfoSlot(answer)).toThrow(MalformedWire);
  });
});
