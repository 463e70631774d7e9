/** Calls that cost something, of one key, route and hour. */
export interface UsageRow {
  readonly accountId: number;
  readonly keyId: number;
  /** `GET /tokens/{mint}`. */
  readonly route: string;
  /** Start of the hour, Unix milliseconds. */
  readonly hour: number;
  readonly calls: number;
  readonly credits: number;
}

export const HOUR_MS = 3_600_000;
/** Rows of past hours that wait while the database is gone: weeks of a busy key. */
const MAX_PAST_ROWS = 10_000;

interface Count {
  readonly keyId: number;
  readonly route: string;
  /** Hours since 1970: a small number, which lies in the object itself. */
  hour: number;
  calls: number;
  credits: number;
  /** The same key's on another route. */
  readonly next: Count | undefined;
}

/**
 * Usage of one pool that is not written yet. Counts are kept and set to zero, so that a call in full flow makes
 * nothing new; and few objects are touched for a call, because those of thousands of keys are in no cache.
 */
export class UsageCounts {
  /** Rows that were dropped because there were too many. */
  dropped = 0;
  readonly #accountId: number;
  readonly #byKey = new Map<number, Count>();
  #touched: Count[] = [];
  #past: UsageRow[] = [];
  /** Counted in last: most calls are of the key and the route of the one before. */
  #last: Count | undefined;

  constructor(accountId: number) {
    this.#accountId = accountId;
  }

  count(keyId: number, route: string, time: number, credits: number): void {
    const count = this.#countOf(keyId, route);
    const hour = Math.floor(time / HOUR_MS);
    if (count.calls > 0 && count.hour !== hour) {
      if (this.#past.length < MAX_PAST_ROWS) this.#past.push(this.#rowOf(count));
      else this.dropped += 1;
      count.calls = 0;
      count.credits = 0;
    } else if (count.calls === 0) {
      this.#touched.push(count);
    }
    count.hour = hour;
    count.calls += 1;
    count.credits += credits;
  }

  /** Everything counted since the last time. */
  take(): UsageRow[] {
    const rows = this.#past;
    for (const count of this.#touched) {
      rows.push(this.#rowOf(count));
      count.calls = 0;
      count.credits = 0;
    }
    this.#past = [];
    this.#touched = [];
    return rows;
  }

  #rowOf({ keyId, route, hour, calls, credits }: Count): UsageRow {
    return { accountId: this.#accountId, keyId, route, hour: hour * HOUR_MS, calls, credits };
  }

  #countOf(keyId: number, route: string): Count {
    const last = this.#last;
    if (last !== undefined && last.keyId === keyId && last.route === route) return last;
    const first = this.#byKey.get(keyId);
    let count = first;
    while (count !== undefined && count.route !== route) count = count.next;
    if (count === undefined) {
      count = { keyId, route, hour: 0, calls: 0, credits: 0, next: first };
      this.#byKey.set(keyId, count);
    }
    this.#last = count;
    return count;
  }
}
