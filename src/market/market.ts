import { createUnsettledRows } from '../books/unsettled-rows.ts';
import { ApiError } from '../contract/errors.ts';
import type { Feed } from '../feed/feed.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';
import type { RowBatch } from '../store/clickhouse/schema/row-batch.ts';
import { readForService } from '../store/reads/reader.ts';
import { FollowedWindows, MOST_AHEAD, type Outcome } from './followed-windows.ts';
import type { WindowReads } from './market-reads.ts';
import type { MarketWindows } from './market-windows.ts';
import { NewestBlocks } from './newest-blocks.ts';
import { Portions } from './portions.ts';
import { Repairs } from './repairs.ts';
import { readWindows } from './warm-windows.ts';
import { within } from './within.ts';

/** Windows that stand at the newest block. */
export interface Market {
  /**
   * The windows as they stand now. They move on with the next block: whoever keeps them reads a later market.
   *
   * @throws {ApiError} `warming_up` when they are being read and are not there in good time.
   */
  open(): Promise<MarketWindows>;
  /** Waits a moment for what windows that stand have to read again. False at once while they are being read. */
  ready(): Promise<boolean>;
  /** The same at once; undefined while they are being read. */
  readonly windows: MarketWindows | undefined;
  /** Changes with everything that windows take in. */
  readonly version: number;
  /**
   * Unix seconds from which on the windows are whole: what was traded before is being read again, because some of it came
   * late. Undefined when nothing is, and while windows are being read.
   */
  readonly staleSince: number | undefined;
  /** Spans of slots, minutes and hours that the store has other rows of than were counted. */
  readonly staleSpans: number;
  /** Milliseconds that the last warm-up took, undefined before its end. */
  readonly warmMs: number | undefined;
  close(): void;
}

export interface MarketDeps {
  readonly reads: WindowReads;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly log: Logger;
}

/** A question waits so long for the windows, then it is refused. */
const HOLD_MS = 2_000;
/** Between two looks at what is stale, and at prices that are asked for. */
const LOOK_MS = 500;
/** A question waits so long for rows that came late, or prices that are asked for; then what stands is told. */
const REPAIR_HOLD_MS = 250;
/** Between two tries when the store does not answer. */
const RETRY_MS = 5_000;
/** Slots that are caught up with behind a warm-up; behind more of them it begins anew. */
const MOST_BEHIND = 50_000;

export function createMarket({ reads, feed, clock, log }: MarketDeps): Market {
  const ending = new AbortController();
  const { signal } = ending;
  const repairs = new Repairs({ reads, feed, clock, signal });
  const unsettled = createUnsettledRows<'market'>(feed);
  /** Kept up to date from the moment on at which the store was read. */
  let followed: FollowedWindows | undefined;
  /** Batches that came and are still to be taken in, while windows catch up: they were just read, or time jumped. */
  let queue: RowBatch[] | undefined;
  const warmed = new Set<() => void>();
  /** Told when nothing is left to do. */
  const idle = new Set<() => void>();
  /** Ends the rest between two looks. */
  let poke: () => void = () => {};
  let version = 0;
  let warmMs: number | undefined;
  /** Something stale is read, or prices are. */
  let isWorking = false;
  /** Monotonic time from which on slots are read again, behind a read that failed. */
  let restsUntil = Number.NEGATIVE_INFINITY;

  const unsubscribe = feed.subscribe({
    batch(batch) {
      version += 1;
      // The store is asked once it has the batch: rows without their block are replaced by those of the block.
      if (unsettled.isLate(batch)) repairs.add({ first: batch.firstSlot, last: batch.lastSlot });
      else if (queue !== undefined) queue.push(batch);
      else if (followed !== undefined) settle(followed.take(batch), batch);
    },
    withdrawn(batch) {
      version += 1;
      unsettled.withdrawn();
      queue = queue?.filter((each) => each !== batch);
      // Some blocks of a batch that waits may have been taken in.
      if (followed !== undefined) settle(followed.takeBack(batch));
    },
    changed(mints, _what, slots) {
      if (slots === undefined) return;
      version += 1;
      repairs.add(slots);
      // However long ago it was, it may have been their last price before the hour.
      followed?.earlier.forget(mints);
      poke();
    },
  });

  function settle(outcome: Outcome, ...waiting: readonly RowBatch[]): void {
    if (outcome === 'anew') discard();
    else if (outcome === 'later') {
      queue ??= [...waiting];
      poke();
    }
  }

  function discard(): void {
    followed = undefined;
    queue = undefined;
    poke();
  }

  /** Windows that stand: those that still catch up do not. */
  function standing(): FollowedWindows | undefined {
    return queue === undefined ? followed : undefined;
  }

  function mayRepair(): boolean {
    return clock.elapsed() >= restsUntil;
  }

  function hasWork(): boolean {
    const known = standing();
    if (known === undefined) return true;
    return isWorking || (mayRepair() && repairs.hasWork) || known.earlier.hasWork;
  }

  /** Reads the windows, and catches up with what came meanwhile. */
  async function warm(): Promise<void> {
    const startedAt = clock.elapsed();
    const portions = new Portions(clock);
    let mark = feed.committedSlot;
    repairs.begin();
    for (const batch of feed.since(0)) {
      if (!batch.closesSlots) repairs.add({ first: batch.firstSlot, last: batch.lastSlot });
    }
    const blocks = new NewestBlocks(await reads.newest(mark));
    const now = blocks.now(Math.floor(clock.now() / 1_000));
    const ahead = await reads.ahead({ after: Math.max(0, mark - MOST_AHEAD), mark, now });
    const windows = await readWindows({ reads, mark, now, portions, clock, signal });
    const known = new FollowedWindows({ windows, blocks, feed, clock, isStale: (slots) => repairs.add(slots) });
    known.noteAhead(ahead);
    const mayGoOn = () => !signal.aborted;
    while (mark < feed.committedSlot) {
      const span = { first: mark + 1, last: feed.committedSlot };
      if (span.last - mark > MOST_BEHIND || !(await repairs.catchUp({ known, mayGoOn }, span))) return;
      mark = span.last;
    }
    followed = known;
    queue = feed.since(mark).filter(({ closesSlots }) => closesSlots);
    await catchUp(known);
    if (standing() !== known) return;
    warmMs = clock.elapsed() - startedAt;
    log.info({ ms: Math.round(warmMs), bytes: windows.bytes, series: windows.book.size }, 'market windows stand');
  }

  /** Moves windows on to the time of the chain, and takes in what waits for that, in portions. */
  async function catchUp(known: FollowedWindows): Promise<void> {
    const portions = new Portions(clock);
    while (followed === known) {
      if (!(await known.slide(portions))) discard();
      const batch = queue?.[0];
      if (batch === undefined || followed !== known) break;
      const outcome = known.take(batch);
      if (outcome === 'anew') discard();
      else if (outcome === 'done') queue?.shift();
      await portions.turn();
    }
    if (followed !== known) return;
    queue = undefined;
    version += 1;
    for (const told of warmed) told();
  }

  /** Reads again what is stale, some of it. True when there was something to do. */
  async function repairSome(known: FollowedWindows): Promise<boolean> {
    if (!mayRepair() || !repairs.mayBegin) return false;
    try {
      const isWhole = await repairs.some({ known, mayGoOn: () => standing() === known });
      if (!isWhole && followed === known) discard();
    } catch (error) {
      restsUntil = clock.elapsed() + RETRY_MS;
      if (!signal.aborted) log.warn({ err: String(error) }, 'late slots could not be read; they are tried again');
    }
    return true;
  }

  /** Asks for earlier prices, some of them. That they do not come delays nothing else. */
  async function askSome({ earlier }: FollowedWindows): Promise<boolean> {
    if (!earlier.hasWork) return false;
    try {
      await earlier.ask(reads, feed.committedSlot);
    } catch (error) {
      if (!signal.aborted) log.warn({ err: String(error) }, 'earlier prices could not be read; they are tried again');
    }
    return true;
  }

  /** True when there was something to do. */
  async function work(): Promise<boolean> {
    if (followed !== undefined && queue !== undefined) await catchUp(followed);
    const known = standing();
    if (known === undefined) {
      await readForService(warm);
      return true;
    }
    isWorking = true;
    try {
      const repaired = await readForService(() => repairSome(known));
      const asked = await readForService(() => askSome(known));
      if (repaired || asked) version += 1;
      return repaired || asked;
    } finally {
      isWorking = false;
    }
  }

  async function follow(): Promise<void> {
    while (!signal.aborted) {
      try {
        if ((await work()) || hasWork()) continue;
        for (const told of idle) told();
        await rest();
      } catch (error) {
        if (signal.aborted) return;
        log.warn({ err: String(error) }, 'market windows could not be read; it is tried again');
        await clock.sleep(RETRY_MS, signal);
      }
    }
  }
  void follow();

  async function rest(): Promise<void> {
    const timer = new AbortController();
    const poked = new Promise<void>((resolve) => {
      poke = resolve;
    });
    const over = () => timer.abort();
    signal.addEventListener('abort', over, { once: true });
    await Promise.race([poked, clock.sleep(LOOK_MS, timer.signal)]);
    timer.abort();
    signal.removeEventListener('abort', over);
  }

  async function ready(): Promise<boolean> {
    if (followed !== undefined && hasWork()) {
      poke();
      await within(clock, REPAIR_HOLD_MS, idle);
    }
    return standing() !== undefined;
  }

  return {
    ready,
    async open() {
      if (standing() === undefined) await within(clock, HOLD_MS, warmed);
      await ready();
      const known = standing();
      if (known === undefined) throw new ApiError('warming_up', { message: 'figures of the market are being read' });
      return known.windows;
    },
    get windows() {
      return standing()?.windows;
    },
    get version() {
      return version;
    },
    get staleSince() {
      const known = standing();
      return known === undefined ? undefined : repairs.staleSince(known.windows);
    },
    get staleSpans() {
      return repairs.size;
    },
    get warmMs() {
      return warmMs;
    },
    close() {
      unsubscribe();
      ending.abort();
    },
  };
}
