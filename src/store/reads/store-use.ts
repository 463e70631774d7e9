import type { Clock } from '../../kernel/clock.ts';

/** After so long a second of use counts half. */
const HALF_LIFE_MS = 10_000;
/** Use of less than this is none. */
const FORGOTTEN_MS = 1;

/**
 * Time that somebody's reads have lately taken of the store: each millisecond of each read counts one, and
 * half as much every ten seconds later.
 */
export class StoreUse {
  readonly #clock: Pick<Clock, 'elapsed'>;
  #usedMs = 0;
  #usedAt = 0;
  /** Of reads under way, which count from their beginning. */
  #underWay = 0;
  #startedAtSum = 0;

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#clock = clock;
  }

  begin(startedAt: number): void {
    this.#underWay += 1;
    this.#startedAtSum += startedAt;
  }

  end(startedAt: number): void {
    const now = this.#clock.elapsed();
    this.#underWay -= 1;
    this.#startedAtSum -= startedAt;
    this.#usedMs = this.#decayed(now) + now - startedAt;
    this.#usedAt = now;
  }

  get ms(): number {
    const now = this.#clock.elapsed();
    return this.#decayed(now) + this.#underWay * now - this.#startedAtSum;
  }

  get isNone(): boolean {
    return this.#underWay === 0 && this.ms < FORGOTTEN_MS;
  }

  #decayed(now: number): number {
    return this.#usedMs * 2 ** ((this.#usedAt - now) / HALF_LIFE_MS);
  }
}
