import type { Clock } from '../../kernel/clock.ts';
import { AccountLine, type LineLimits } from './account-line.ts';
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

export const LAST_LEVEL = 4;

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

/** Askers who would pay for a read, by the line whose turn it is; nobody in the line of the service's own. */
type Payers = ReadonlyMap<Line, readonly Asker[]>;

interface Waiting {
  readonly reader: Reader;
  /** Lines in which it stands. */
  payers: Payers;
  readonly grant: (line: Line, key: string) => void;
  readonly refuse: (fault: ReadFault) => void;
}
type Line = AccountLine<Waiting>;

interface Begun {
  readonly account: string;
  readonly at: number;
}

/** The service's own reads are a line of their own, with a key of its own. */
const OWN = 'service';
/** Others read beside an account while one of them has begun a read within this time. */
const BESIDE_MS = 10_000;

export function createReadGate({
  clock,
  limits = GATE_LIMITS,
}: {
  readonly clock: Pick<Clock, 'elapsed'>;
  readonly limits?: GateLimits;
}): ReadGate {
  const lines = new Map<string, Line>();
  /** Lines in which somebody waits, the next one first. */
  const turns = new Set<Line>();
  const refused = { over_share: 0, too_busy: 0 };
  const abandoned = { waiting: 0, under_way: 0 };
  const own: Line = new AccountLine(OWN, { ...limits, perAccount: limits.places, perKey: limits.places });
  /** The last read that was begun, and the last one of another account. */
  let newest: Begun | undefined;
  let another: Begun | undefined;
  let underWay = 0;
  let waiting = 0;

  function lineOf(account: string): Line {
    const known = lines.get(account);
    if (known !== undefined) return known;
    const line: Line = new AccountLine(account, limits);
    lines.set(account, line);
    return line;
  }

  function forgetIdle(line: Line): void {
    if (line.isIdle) lines.delete(line.account);
  }

  /** Lets a request in for as long as it lasts, if it is not in already. */
  function admit(asker: Asker): boolean {
    if (asker.left !== undefined) return false;
    const line = lineOf(asker.share.account);
    if (line.has(asker)) return true;
    if (!line.hasRoomFor(asker)) return false;
    line.add(asker, clock.elapsed() + asker.patienceMs);
    asker.onLeave(() => {
      line.remove(asker);
      // It is told first, before those of its reads that wait: they must not be begun on its behalf.
      for (const entry of [...line.waiting]) standAgain(entry);
      forgetIdle(line);
      // Whoever has fewer requests than before may have more places.
      dispatch();
    });
    return true;
  }

  function refuse(askers: readonly Asker[]): ReadFault {
    refused.over_share += 1;
    const asker = askers.find(({ left }) => left === undefined);
    const freeAt = asker === undefined ? undefined : lineOf(asker.share.account).freeAt(asker);
    const seconds = freeAt === undefined ? 1 : Math.max(1, Math.ceil((freeAt - clock.elapsed()) / 1_000));
    return new ReadFault('over_share', 'too many reads at once: as many requests are being answered', seconds);
  }

  /** None when nobody may or wants to. */
  function payers(reader: Reader): Payers {
    if (reader.left !== undefined) return new Map();
    const askers = reader.askers();
    if (askers.length === 0) return new Map([[own, []]]);
    const byLine = new Map<Line, Asker[]>();
    for (const asker of askers.filter(admit)) {
      const line = lineOf(asker.share.account);
      byLine.set(line, [...(byLine.get(line) ?? []), asker]);
    }
    return byLine;
  }

  /** Puts a read into other lines than before. */
  function stand(entry: Waiting, payersNow: Payers): void {
    for (const line of entry.payers.keys()) {
      if (payersNow.has(line)) continue;
      line.waiting.delete(entry);
      if (line.waiting.size > 0) continue;
      turns.delete(line);
      forgetIdle(line);
    }
    for (const line of payersNow.keys()) {
      line.waiting.add(entry);
      turns.add(line);
    }
    entry.payers = payersNow;
  }

  /** Puts a read into the lines of those who wait for it now. It is refused when all of them are over their share. */
  function standAgain(entry: Waiting): void {
    const payersNow = payers(entry.reader);
    if (payersNow.size > 0 || entry.reader.left !== undefined) stand(entry, payersNow);
    else entry.refuse(refuse(entry.reader.askers()));
  }

  function levelOf(line: Line): number {
    return Math.min(LAST_LEVEL, 1 + Math.floor(Math.log2(Math.max(1, line.demand))));
  }

  function isCrowded(line: Line): boolean {
    const beside = newest?.account === line.account ? another : newest;
    return beside !== undefined && clock.elapsed() - beside.at < BESIDE_MS;
  }

  function isGreedy(line: Line): boolean {
    return levelOf(line) === LAST_LEVEL && isCrowded(line);
  }

  function begin(line: Line, key: string): Seat {
    const level = levelOf(line);
    const crowded = isCrowded(line);
    let open = true;
    underWay += 1;
    line.begin(key);
    if (line !== own) {
      if (newest?.account !== line.account) another = newest;
      newest = { account: line.account, at: clock.elapsed() };
    }
    return {
      level,
      crowded,
      leave() {
        if (!open) return;
        open = false;
        underWay -= 1;
        line.end(key);
        forgetIdle(line);
        dispatch();
      },
    };
  }

  /** The key that pays for the read in a line now; undefined when none may. */
  function keyFor(entry: Waiting, line: Line): string | undefined {
    if (line === own) return line.mayRead(OWN) ? OWN : undefined;
    const mayPay = ({ left, share }: Asker) => left === undefined && line.mayRead(share.key);
    return entry.payers.get(line)?.find(mayPay)?.share.key;
  }

  /** Begins the read of a line that came first of those that may begin now. */
  function grantOne(line: Line): boolean {
    if (line.isFull || (line.underWay >= limits.perGreedy && isGreedy(line))) return false;
    const kept = line.underWay === 0 ? limits.kept - limits.first : limits.kept;
    const isOpen = line === own || underWay < limits.places - kept;
    for (const next of line.waiting) {
      const key = keyFor(next, line);
      if (key === undefined || !(isOpen || next.payers.size > 1)) continue;
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
        if (payers(reader).size === 0) throw refuse(reader.askers());
        if (waiting >= limits.waiting) {
          refused.too_busy += 1;
          throw new ReadFault('too_busy', 'too many wait for the store');
        }
        /** Out of all lines, so that one thing alone comes of it. */
        const end = () => {
          waiting -= 1;
          forget();
          unwatch();
          stand(entry, new Map());
        };
        const entry: Waiting = {
          reader,
          payers: new Map(),
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
