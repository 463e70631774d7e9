import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../kernel/clock.ts';
import type { Reader } from '../store/reads/reader.ts';

/** Milliseconds of work, then others have their turn. */
const PORTION_MS = 4;

/** Long work in portions, so that requests are answered meanwhile. */
export class Portions {
  readonly #clock: Clock;
  readonly #reader: Pick<Reader, 'left'> | undefined;
  #begunAt: number;

  /** `reader`: whom the work is for. It ends when they have left. */
  constructor(clock: Clock, reader?: Pick<Reader, 'left'>) {
    this.#clock = clock;
    this.#reader = reader;
    this.#begunAt = clock.elapsed();
  }

  /** To be waited for between two pieces of work. Rejects when nobody waits for it any more. */
  async turn(): Promise<void> {
    if (this.#clock.elapsed() - this.#begunAt < PORTION_MS) return;
    await setImmediate();
    if (this.#reader?.left !== undefined) throw this.#reader.left;
    this.#begunAt = this.#clock.elapsed();
  }
}
