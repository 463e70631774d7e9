import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../kernel/clock.ts';

/** Milliseconds of work, then others have their turn. */
const PORTION_MS = 4;

/** Long work in portions, so that requests are answered meanwhile. */
export class Portions {
  readonly #clock: Clock;
  #begunAt: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#begunAt = clock.elapsed();
  }

  /** To be waited for between two pieces of work. */
  async turn(): Promise<void> {
    if (this.#clock.elapsed() - this.#begunAt < PORTION_MS) return;
    await setImmediate();
    this.#begunAt = this.#clock.elapsed();
  }
}
