import type { Clock } from '../../kernel/clock.ts';

/** Others read beside an account while one of them has begun a read within this time. */
const BESIDE_MS = 10_000;

interface Begun {
  readonly account: string;
  readonly at: number;
}

/** Accounts that have lately begun a read. */
export class Crowd {
  readonly #clock: Pick<Clock, 'elapsed'>;
  /** The last read that was begun, and the last one of another account. */
  #newest: Begun | undefined;
  #another: Begun | undefined;

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#clock = clock;
  }

  begun(account: string): void {
    if (this.#newest?.account !== account) this.#another = this.#newest;
    this.#newest = { account, at: this.#clock.elapsed() };
  }

  /** True when others have lately read beside the account. */
  isBeside(account: string): boolean {
    const beside = this.#newest?.account === account ? this.#another : this.#newest;
    return beside !== undefined && this.#clock.elapsed() - beside.at < BESIDE_MS;
  }
}
