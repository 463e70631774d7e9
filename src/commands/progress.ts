import type { Clock } from '../kernel/clock.ts';

/** Progress of a piece of work, and its speed. */
export interface ProgressView {
  /** Of the whole, 0 to 1. */
  readonly share: number;
  readonly blocks: number;
  /** Of the last half minute or so; undefined before there is one to speak of. */
  readonly blocksPerSecond: number | undefined;
  readonly leftMs: number | undefined;
}

export interface Progress {
  advance(slots: number, blocks: number): void;
  /** Now. Called every second or so: the rate is measured between calls. */
  view(): ProgressView;
}

/** Over which rates are measured. */
const RATE_MS = 30_000;
/** Too short to tell a rate. */
const MIN_RATE_MS = 500;

/** `slots` in all, of which `done` were there at the start. */
export function createProgress({
  slots,
  done,
  clock,
}: {
  readonly slots: number;
  readonly done: number;
  readonly clock: Clock;
}): Progress {
  let doneSlots = done;
  let blocks = 0;
  /** Oldest first. The first is older than the rate's time, or the start. */
  const marks = [{ at: clock.elapsed(), doneSlots, blocks }];

  return {
    advance(moreSlots, moreBlocks) {
      doneSlots += moreSlots;
      blocks += moreBlocks;
    },
    view() {
      const at = clock.elapsed();
      while (marks.length > 1 && marks[1]!.at <= at - RATE_MS) marks.shift();
      const { at: since, ...then } = marks[0]!;
      if (at > marks.at(-1)!.at) marks.push({ at, doneSlots, blocks });
      const ms = at - since;
      const isMeasured = ms >= MIN_RATE_MS;
      const slotsPerMs = isMeasured ? (doneSlots - then.doneSlots) / ms : 0;
      return {
        share: slots === 0 ? 1 : doneSlots / slots,
        blocks,
        blocksPerSecond: isMeasured ? ((blocks - then.blocks) / ms) * 1_000 : undefined,
        leftMs: slotsPerMs === 0 || doneSlots >= slots ? undefined : (slots - doneSlots) / slotsPerMs,
      };
    },
  };
}

const BAR_WIDTH = 20;

/** One line: a bar, the share, what has come, how fast, and how long it will take at that. */
export function progressText({ share, blocks, blocksPerSecond, leftMs }: ProgressView): string {
  // Not full before all is done.
  const filled = Math.floor(Math.min(1, share) * BAR_WIDTH);
  const percent = (Math.floor(Math.min(1, share) * 1_000) / 10).toFixed(1).padStart(5);
  const rate = blocksPerSecond === undefined ? '' : `  ${blocksPerSecond.toFixed(1)} blocks/s`;
  const left = leftMs === undefined ? '' : `  ${durationText(leftMs)} left`;
  return `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}] ${percent} %  ${blocks} blocks${rate}${left}`;
}

/** The two largest units: `2d 3h`, `4m 5s`, `7s`. */
export function durationText(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  if (first < 0) return '0s';
  return parts
    .slice(first, first + 2)
    .map(([count, unit]) => `${count}${unit}`)
    .join(' ');
}
