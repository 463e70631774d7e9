/** The customer's own account of what was asked and what it was told to cost. */
export interface CallTally {
  /** A call that is about to be sent. It counts once its fate is known, and until then as one that may be charged. */
  begin(call: Call): OpenCall;
  /** Calls under way, of all pools. */
  readonly open: number;
  /** Takes the counts since the last time, and ends the interval. Nothing may be under way. */
  takeInterval(): TallyInterval;
}

export interface Call {
  readonly keyId: number;
  readonly poolId: number;
  /** The process that it is sent to. */
  readonly server: string;
  /** The most it can cost. */
  readonly price: number;
}

export interface OpenCall {
  /**
   * The most that other calls may have claimed of its pool in this interval, up to
   * now: told, unheard, or under way at any time since this one began.
   */
  claimedByOthers(): number;
  /** `cost` as the answer says it; 0 for an answer that names none. */
  answered(status: number, cost: number): void;
  /** The connection broke behind the request: it may have been charged and never heard. */
  broke(): void;
  /** No connection came about: it was never sent. */
  unsent(): void;
}

export interface TallyInterval {
  readonly byKey: ReadonlyMap<number, KeyTally>;
  /** Every answer that cost something. */
  readonly debits: readonly Debit[];
}

export interface KeyTally {
  readonly poolId: number;
  /** Credits that answers said they cost. */
  readonly told: number;
  /** Answers to calls that had been paid for: those refused before that are none. */
  readonly settled: number;
  /** Credits of calls that may have been answered unheard. */
  readonly unheard: number;
  readonly unheardCalls: number;
  readonly refused: number;
}

export interface Debit {
  readonly server: string;
  readonly keyId: number;
  readonly poolId: number;
  readonly cost: number;
  /** Time at which its call was sent, monotonic milliseconds. */
  readonly begunAt: number;
  /** Time at which its answer was heard, monotonic milliseconds: a little later than it was settled. */
  readonly at: number;
}

/** Refused before anything was taken: for the key, the rate, the parameters, the credits, or because these cannot be read. */
const UNPAID: ReadonlySet<number> = new Set([400, 401, 402, 403, 429, 503]);

/** Of one pool in one interval. */
interface Claims {
  /** Prices of all calls that were begun. */
  begun: number;
  /** The part of those prices that turned out not to be charged, as far as everybody knows by now. */
  givenUp: number;
  /** The same of a moment ago. */
  late: { readonly at: number; readonly credits: number }[];
}

/** Longer than it takes to write what is given back, and to forget that somebody was refused. */
const KNOWN_AFTER_MS = 1_000;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export function createCallTally(elapsed: () => number): CallTally {
  let claims = new Map<number, Claims>();
  let byKey = new Map<number, Mutable<KeyTally>>();
  let debits: Debit[] = [];
  let open = 0;

  function tallyOf({ keyId, poolId }: Call): Mutable<KeyTally> {
    const known = byKey.get(keyId);
    if (known !== undefined) return known;
    const fresh = { poolId, told: 0, settled: 0, unheard: 0, unheardCalls: 0, refused: 0 };
    byKey.set(keyId, fresh);
    return fresh;
  }

  function claimsOn(poolId: number): Claims {
    const known = claims.get(poolId);
    if (known !== undefined) return known;
    const fresh: Claims = { begun: 0, givenUp: 0, late: [] };
    claims.set(poolId, fresh);
    return fresh;
  }

  return {
    begin(call) {
      const { poolId, price } = call;
      const pool = claimsOn(poolId);
      const givenUpBefore = givenUpOf(pool, elapsed());
      const begunAt = elapsed();
      let isOpen = true;
      open += 1;
      pool.begun += price;
      const end = (charged: number, count: (tally: Mutable<KeyTally>) => void) => {
        if (!isOpen) return;
        isOpen = false;
        open -= 1;
        if (charged < price) pool.late.push({ at: elapsed(), credits: price - charged });
        count(tallyOf(call));
      };
      return {
        claimedByOthers: () => pool.begun - price - givenUpBefore,
        answered: (status, cost) =>
          end(cost, (tally) => {
            tally.told += cost;
            if (UNPAID.has(status)) tally.refused += 1;
            else tally.settled += 1;
            if (cost === 0) return;
            debits.push({ server: call.server, keyId: call.keyId, poolId, cost, begunAt, at: elapsed() });
          }),
        broke: () =>
          end(price, (tally) => {
            tally.unheard += price;
            tally.unheardCalls += 1;
          }),
        unsent: () => end(0, () => {}),
      };
    },
    get open() {
      return open;
    },
    takeInterval() {
      const taken = { byKey, debits };
      byKey = new Map();
      claims = new Map();
      debits = [];
      return taken;
    },
  };
}

/** The part of a pool's claims that is surely free again. */
function givenUpOf(pool: Claims, now: number): number {
  while (pool.late[0] !== undefined && pool.late[0].at < now - KNOWN_AFTER_MS) {
    pool.givenUp += pool.late.shift()?.credits ?? 0;
  }
  return pool.givenUp;
}
