import { describe, expect, it } from 'vitest';
import type { Clock } from '../kernel/clock.ts';
import { silentLogger } from '../kernel/log.ts';
import { createProgress, durationText, progressText } from './progress.ts';
import { createProgressLine } from './progress-line.ts';

function createHandClock(): Clock & { pass(ms: number): void } {
  let now = 0;
  return { now: () => now, elapsed: () => now, sleep: async () => {}, pass: (ms) => (now += ms) };
}

describe('progress', () => {
  it('measures over the last half minute, and tells what is left at that', () => {
    const clock = createHandClock();
    const progress = createProgress({ slots: 1_000, done: 200, clock });
    expect(progress.view()).toEqual({ share: 0.2, blocks: 0, blocksPerSecond: undefined, leftMs: undefined });
    for (let second = 0; second < 60; second += 1) {
      clock.pass(1_000);
      progress.advance(4, 3);
      progress.view();
    }
    expect(progress.view()).toMatchObject({ share: 0.44, blocks: 180, blocksPerSecond: 3, leftMs: 140_000 });
    for (let second = 0; second < 40; second += 1) {
      clock.pass(1_000);
      progress.advance(8, 7);
      progress.view();
    }
    expect(progress.view()).toMatchObject({ blocksPerSecond: 7, leftMs: 30_000 });
    clock.pass(60_000);
    // A node that gives nothing any more: nobody knows how long that takes.
    progress.view();
    clock.pass(31_000);
    expect(progress.view()).toMatchObject({ blocksPerSecond: 0, leftMs: undefined });
  });

  it('is a line with a bar that is full only at the end', () => {
    const line = (share: number) => progressText({ share, blocks: 12, blocksPerSecond: undefined, leftMs: undefined });
    expect(line(0)).toBe('[....................]   0.0 %  12 blocks');
    expect(line(0.99999)).toBe('[###################.]  99.9 %  12 blocks');
    expect(line(1)).toBe('[####################] 100.0 %  12 blocks');
    expect(progressText({ share: 0.5, blocks: 9, blocksPerSecond: 4.04, leftMs: 61_000 })).toBe(
      '[##########..........]  50.0 %  9 blocks  4.0 blocks/s  1m 1s left',
    );
  });

  it.each([
    [0, '0s'],
    [900, '1s'],
    [61_000, '1m 1s'],
    [3_600_000, '1h 0m'],
    [200_000_000, '2d 7h'],
  ])('%i ms are %s', (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });

  it('takes the place of the line before in a terminal, and is now and then a line elsewhere', () => {
    const clock = createHandClock();
    const terminal: string[] = [];
    const file: string[] = [];
    const inTerminal = createProgressLine({ isTTY: true, columns: 8, write: (text) => terminal.push(text) }, clock);
    const inFile = createProgressLine({ write: (text) => file.push(text) }, clock);
    for (const line of [inTerminal, inFile]) {
      line.show('first line');
      line.show('second line');
      line.say('the end of it');
    }
    expect(terminal.join('')).toBe('\r\u001b[2Kfirst l\r\u001b[2Ksecond \r\u001b[2Kthe end of it\n');
    expect(file).toEqual(['first line\n', 'the end of it\n']);
    clock.pass(10_000);
    inFile.show('third line');
    expect(file.at(-1)).toBe('third line\n');
  });

  it('does not run into the lines of the log', () => {
    const terminal: string[] = [];
    const line = createProgressLine(
      { isTTY: true, columns: 0, write: (text) => terminal.push(text) },
      createHandClock(),
    );
    const log = line.above({ ...silentLogger, warn: (_fields, message) => terminal.push(`${message}\n`) });
    line.show('half');
    log.warn({}, 'slow down');
    expect(terminal.join('')).toBe('\r\u001b[2Khalf\r\u001b[2Kslow down\n');
  });
});
