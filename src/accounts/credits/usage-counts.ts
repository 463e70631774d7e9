/** Calls that cost something, of one key, route and hour. */
export interface UsageRow {
  readonly keyId: number;
  /** `GET /tokens/{mint}`. */
  readonly route: string;
  /** Start of the hour, Unix milliseconds. */
  readonly hour: number;
  readonly calls: number;
  readonly credits: number;
}

/** Usage of one pool that is not written yet. */
export interface UsageCounts {
  count(keyId: number, route: string, hour: number, credits: number): void;
  /** Everything counted since the last time. */
  take(): readonly UsageRow[];
  /** Rows that were dropped because there were too many. */
  readonly dropped: number;
}

export const HOUR_MS = 3_600_000;
/** Rows of past hours that wait while the database is gone: weeks of a busy key. */
const MAX_PAST_ROWS = 10_000;

interface Count {
  readonly keyId: number;
  readonly route: string;
  hour: number;
  calls: number;
  credits: number;
}

/** Counts are kept and set to zero, so that a call in full flow makes nothing new. */
export function createUsageCounts(): UsageCounts {
  const byKey = new Map<number, Map<string, Count>>();
  let touched: Count[] = [];
  let past: UsageRow[] = [];
  let dropped = 0;
  /** Counted in last: most calls are of the key and the route of the one before. */
  let last: Count | undefined;

  function countOf(keyId: number, route: string): Count {
    if (last !== undefined && last.keyId === keyId && last.route === route) return last;
    let routes = byKey.get(keyId);
    if (routes === undefined) {
      routes = new Map();
      byKey.set(keyId, routes);
    }
    let count = routes.get(route);
    if (count === undefined) {
      count = { keyId, route, hour: 0, calls: 0, credits: 0 };
      routes.set(route, count);
    }
    last = count;
    return count;
  }

  return {
    count(keyId, route, hour, credits) {
      const count = countOf(keyId, route);
      if (count.calls > 0 && count.hour !== hour) {
        if (past.length < MAX_PAST_ROWS) past.push({ ...count });
        else dropped += 1;
        count.calls = 0;
        count.credits = 0;
      } else if (count.calls === 0) {
        touched.push(count);
      }
      count.hour = hour;
      count.calls += 1;
      count.credits += credits;
    },
    take() {
      const rows = past;
      for (const count of touched) {
        rows.push({ ...count });
        count.calls = 0;
        count.credits = 0;
      }
      past = [];
      touched = [];
      return rows;
    },
    get dropped() {
      return dropped;
    },
  };
}
