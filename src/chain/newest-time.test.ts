import { describe, expect, it } from 'vitest';
import { newestTime } from './newest-time.ts';

const WALL = 1_790_000_000;
const steady = Array.from({ length: 16 }, (_, at) => WALL - 20 + at);

describe('the time of a chain', () => {
  it('is that of its newest block', () => {
    expect(newestTime(steady, WALL)).toBe(WALL - 5);
  });

  it('is not what one block tells of tomorrow', () => {
    expect(newestTime([...steady.slice(1), WALL + 86_400], WALL)).toBe(WALL - 5);
  });

  it('is not what a few of them tell of the end of time', () => {
    expect(newestTime([...steady.slice(7), ...Array.from({ length: 7 }, () => 0xffff_ffff)], WALL)).toBe(WALL - 5);
  });

  it('does not run backwards with a block of yesterday', () => {
    expect(newestTime([...steady.slice(1), WALL - 86_400], WALL)).toBe(WALL - 5);
  });

  it('is behind a halt what the first block tells, as long as it is not of the future', () => {
    expect(newestTime([...steady.slice(1).map((time) => time - 50_000), WALL], WALL)).toBe(WALL);
  });

  it('is ahead of a clock that stands still', () => {
    expect(newestTime(steady, 0)).toBe(WALL - 5);
  });

  it('follows blocks that go on from far ahead of the clock, once half of them do', () => {
    const ahead = WALL + 7_200;
    expect(newestTime([...steady.slice(7), ...Array.from({ length: 7 }, (_, at) => ahead + at)], WALL)).toBe(WALL - 5);
    expect(newestTime([...steady.slice(9), ...Array.from({ length: 9 }, (_, at) => ahead + at)], WALL)).toBe(ahead + 8);
  });

  it('is unknown where no block tells one', () => {
    expect(newestTime([0, 0], WALL)).toBe(0);
    expect(newestTime([], WALL)).toBe(0);
  });

  it('is told by the others when some tell none', () => {
    expect(newestTime([0, WALL - 9, 0, WALL - 8, 0], WALL)).toBe(WALL - 8);
  });
});
