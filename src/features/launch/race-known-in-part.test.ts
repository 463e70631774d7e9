import { describe, expect, it } from 'vitest';
import {
  CREATED_INDEX,
  CREATOR,
  creationRow,
  type LaunchTransaction,
  landed,
  leg,
  rowsOf,
} from '../../../test/support/launch-script.ts';
import { address } from '../../../test/support/token-world-rows.ts';
import { runRace } from './race-rules.ts';

const ANN = address(31);
const BEN = address(32);
const DEV = landed(0, CREATED_INDEX, leg(CREATOR));

describe('a race that was not seen whole', () => {
  const known = (script: readonly LaunchTransaction[], more: object = {}, creation = creationRow) =>
    runRace({ creation, ...rowsOf(script), slots: 1, whole: true, ...more });

  it.each([
    ['a hole', known([], { whole: false })],
    ['a creation without its block', known([], {}, { ...creationRow, partial: true })],
    ['one whose reverted attempts are gone, too', known([], { whole: false, attempts: undefined })],
  ])('with %s does not say that nobody tried', (_what, told) => {
    expect(told).toMatchObject({ whole: false, winner: undefined });
    expect(told.headline).toBe(
      'What happened in the creation slot is not known in full, and nothing is known of who tried to buy.',
    );
  });

  it('tells of what is known that it may not be all', () => {
    const told = known([DEV, landed(0, 41, leg(ANN), { partial: true })]);
    expect(told.whole).toBe(false);
    expect(told.headline).toBe(
      `What happened in the creation slot is not known in full: 2 attempts and 2 landed are known; ${ANN.slice(0, 4)}…${ANN.slice(-4)} is the first outside wallet that is known.`,
    );
  });
});

describe('a slot of a race', () => {
  const wholeSlots = (script: readonly LaunchTransaction[], more: Partial<Parameters<typeof runRace>[0]> = {}) =>
    runRace({ creation: creationRow, ...rowsOf(script), slots: 30, whole: true, ...more }).bySlot.map(
      ({ slotsAfterCreation, whole }) => [slotsAfterCreation, whole],
    );
  const script = [DEV, landed(1, 3, leg(ANN), { partial: true }), landed(2, 3, leg(BEN))];

  it('is whole where its block came, and known in part where single transactions of it did', () => {
    expect(wholeSlots(script)).toEqual([0, 1, 2].map((after) => [after, after !== 1]));
    expect(wholeSlots([DEV], { creation: { ...creationRow, partial: true } })).toEqual([[0, false]]);
  });

  it('is not known in full where slots may be missing', () => {
    expect(wholeSlots(script, { whole: false })).toEqual([0, 1, 2].map((after) => [after, false]));
  });
});
