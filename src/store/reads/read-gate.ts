import type { Clock } from '../../kernel/clock.ts';
import { type AccountLine, LAST_LEVEL, type LineLimits } from './account-line.ts';
import { AccountLines, OWN, type Payers } from './account-lines.ts';
import { Crowd } from './crowd.ts';
import { ReadFault } from './read-fault.ts';
import type { Asker, Reader } from './reader.ts';

export interface GateLimits extends LineLimits {
  /** Reads under way in all. */
  readonly places: number;
  /** Of them, those that are kept for reads that several accounts wait for, and for the service's own. */
  readonly kept: number;
  /** Of those that are kept, the ones that an account with nothing under way may have too. */
  readonly first: number;
  /** By an account at the last level, while others read beside it. */
  readonly perGreedy: number;
  /** Reads that wait in all. */
  readonly waiting: number;
}

/** For two cores, half of which are ingest's and the API's own. */
export const GATE_LIMITS: GateLimits = {
  places: 8,
  kept: 2,
  first: 1,
  perAccount: 4,
  perKey: 3,
  perGreedy: 1,
  requestsPerAccount: 32,
  requestsPerKey: 24,
  waiting: 20_000,
};

/** The right to one read. */
export interface Seat {
  /** From 1, which goes first in the store, to {@link LAST_LEVEL}: one more for each time that its account has twice as many requests which read. */
  readonly level: number;
  /** True when others have lately read beside its account. */
  readonly crowded: boolean;
  /** Gives it back. Once only counts. */
  leave(): void;
}

export interface GateFigures {
  readonly places: number;
  readonly underWay: number;
  readonly waiting: number;
  /** Accounts and addresses that read or wait to. */
  readonly accounts: number;
  /** Since the start. */
  readonly refused: Readonly<Record<'over_share' | 'too_busy', number>>;
  readonly abandoned: Readonly<Record<'waiting' | 'under_way', number>>;
}

/**
 * Every read of the API waits here for a place. Places are bounded in all, by account and by key; those who
 * wait are taken in turn between accounts. A request whose account has too many that read is refused.
 * A read that several wait for stands in the line of each: whose turn comes first pays for it.
 */
export interface ReadGate {
  /** Rejects with a ReadFault: `over_share`, `too_busy`, or why nobody waits any more. */
  enter(reader: Reader): Promise<Seat>;
  readonly figures: GateFigures;
  /** A read under way was given up. */
  noteAbandoned(): void;
}

interface Waiting {
  readonly reader: Reader;
  /** Lines in which it stands. */
  payers: Payers<Waiting>;
  readonly grant: (line: Line, key: string) => void;
  readonly refuse: (fault: ReadFault) => void;
}
type Line = AccountLine<Waiting>;

const NOBODY: Payers<Waiting> = { byLine: new Map(), lacksSome: false };

export function createReadGate({
  clock,
  limits = GATE_LIMITS,
}: {
  readonly clock: Pick<Clock, 'elapsed'>;
  readonly limits?: GateLimits;
}): ReadGate {
  const lines = new AccountLines<Waiting>({ clock, limits, left });
  const { own } = lines;
  const crowd = new Crowd(clock);
  /** Lines in which somebody waits, the next one first. */
  const turns = new Set<Line>();
  const refused = { over_share: 0, too_busy: 0 };
  const abandoned = { waiting: 0, under_way: 0 };
  let underWay = 0;
  let waiting = 0;

  /**
   * Of a request that has left its line. Told before those of its reads that wait: they must not be begun on its behalf.
   * Other reads stand as they did, but for those of requests of which there may be room by now.
   */
  function left(line: Line, asker: Asker): void {
    for (const entry of [...line.waiting]) {
      const { byLine, lacksSome } = entry.payers;
      if (lacksSome || byLine.get(line)?.includes(asker)) standAgain(entry);
    }
    lines.forgetIdle(line);
    // Whoever has fewer requests than before may have more places.
    dispatch();
  }

  function refuse(askers: readonly Asker[]): ReadFault {
    refused.over_share += 1;
    return lines.overShare(askers);
  }

  /** Puts a read into other lines than before. */
  function stand(entry: Waiting, payersNow: Payers<Waiting>): void {
    for (const line of entry.payers.byLine.keys()) {
      if (payersNow.byLine.has(line)) continue;
      line.waiting.delete(entry);
      if (line.waiting.size > 0) continue;
      turns.delete(line);
      lines.forgetIdle(line);
    }
    for (const line of payersNow.byLine.keys()) {
      line.waiting.add(entry);
      turns.add(line);
    }
    entry.payers = payersNow;
  }

  /** Puts a read into the lines of those who wait for it now. It is refused when all of them are over their share. */
  function standAgain(entry: Waiting): void {
    const payersNow = lines.payers(entry.reader);
    if (payersNow.byLine.size > 0 || entry.reader.left !== undefined) stand(entry, payersNow);
    else entry.refuse(refuse(entry.reader.askers()));
  }

  function isGreedy(line: Line): boolean {
    return line.level === LAST_LEVEL && crowd.isBeside(line.account);
  }

  function begin(line: Line, key: string): Seat {
    const { level } = line;
    const crowded = crowd.isBeside(line.account);
    let open = true;
    underWay += 1;
    line.begin(key);
    if (line !== own) crowd.begun(line.account);
    return {
      level,
      crowded,
      leave() {
        if (!open) return;
        open = false;
        underWay -= 1;
        line.end(key);
        lines.forgetIdle(line);
        dispatch();
      },
    };
  }

  /** The key that pays for the read in a line now; undefined when none may. */
  function keyFor(entry: Waiting, line: Line): string | undefined {
    if (line === own) return line.mayRead(OWN) ? OWN : undefined;
    const mayPay = ({ left, share }: Asker) => left === undefined && line.mayRead(share.key);
    return entry.payers.byLine.get(line)?.find(mayPay)?.share.key;
  }

  /** Begins the read of a line that came first of those that may begin now. */
  function grantOne(line: Line): boolean {
    if (line.isFull || (line.underWay >= limits.perGreedy && isGreedy(line))) return false;
    const kept = line.underWay === 0 ? limits.kept - limits.first : limits.kept;
    const isOpen = line === own || underWay < limits.places - kept;
    for (const next of line.waiting) {
      const key = keyFor(next, line);
      if (key === undefined || !(isOpen || next.payers.byLine.size > 1)) continue;
      next.grant(line, key);
      return true;
    }
    return false;
  }

  function dispatch(): void {
    while (underWay < limits.places) {
      const line = [...turns].find(grantOne);
      if (line === undefined) return;
      // Whoever had a turn stands behind the others.
      if (turns.delete(line)) turns.add(line);
    }
  }

  return {
    enter(reader) {
      return new Promise((resolve, reject) => {
        if (reader.left !== undefined) throw reader.left;
        if (lines.payers(reader).byLine.size === 0) throw refuse(reader.askers());
        if (waiting >= limits.waiting) {
          refused.too_busy += 1;
          throw new ReadFault('too_busy', 'too many wait for the store');
        }
        /** Out of all lines, so that one thing alone comes of it. */
        const end = () => {
          waiting -= 1;
          forget();
          unwatch();
          stand(entry, NOBODY);
        };
        const entry: Waiting = {
          reader,
          payers: NOBODY,
          grant(line, key) {
            end();
            resolve(begin(line, key));
          },
          refuse(fault) {
            end();
            reject(fault);
          },
        };
        waiting += 1;
        const forget = reader.onLeave((reason) => {
          end();
          abandoned.waiting += 1;
          reject(reason);
        });
        const unwatch = reader.onChange(() => {
          standAgain(entry);
          dispatch();
        });
        standAgain(entry);
        dispatch();
      });
    },
    noteAbandoned() {
      abandoned.under_way += 1;
    },
    get figures() {
      return { places: limits.places, underWay, waiting, accounts: lines.size, refused, abandoned };
    },
  };
}
