/** Blocks whose times decide together: half of them would have to tell a wrong one at once. */
export const DECIDING_BLOCKS = 16;
/** A block's time may be so many seconds ahead of the clock on the wall, or of the blocks around it. */
const MOST_AHEAD_S = 60;

/**
 * What time it is on a chain, Unix seconds: the latest time of its newest blocks that can be true, 0 when none tells any.
 * A time is not believed when it is far ahead both of the clock on the wall and of the blocks around it: nodes get times
 * wrong, and one such block would empty every window that ends with the newest. A chain that stood still, or whose
 * machine's clock is behind, is believed.
 *
 * @param times of the newest blocks, up to {@link DECIDING_BLOCKS}, in any order; 0 where a block tells none.
 * @param wall Unix seconds by the clock on the wall.
 */
export function newestTime(times: readonly number[], wall: number): number {
  const known = times.filter((time) => time > 0).sort((a, b) => a - b);
  const middle = known[(known.length - 1) >> 1];
  if (middle === undefined) return 0;
  const latest = Math.max(wall, middle) + MOST_AHEAD_S;
  return known.findLast((time) => time <= latest)!;
}
