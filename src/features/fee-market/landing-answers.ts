import { createRefreshed } from '../../books/refreshed.ts';
import { ApiError } from '../../contract/errors.ts';
import { stampBody } from '../../contract/stamp.ts';
import type { Feed } from '../../feed/feed.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import type { EpochSchedule } from '../../leaders/epoch-schedule.ts';
import { type KnownLeaders, UNKNOWN_CLIENT } from '../../leaders/known-leaders.ts';
import type { Leaders } from '../../leaders/schedules.ts';
import { isOfEpoch } from '../../leaders/segments.ts';
import { Portions } from '../../market/portions.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { readForService } from '../../store/reads/reader.ts';
import { createUnbrokenReader, createWholeSince } from '../../token/history.ts';
import { LANDING_WINDOWS, type LandingVenue, type LandingWindowName } from './contract-landing-limits.ts';
import { landingBody } from './landing-body.ts';
import { LandingDay } from './landing-day.ts';
import { type FrameDeps, knowsReverted, type LandingFrame, readFrame, spanOf } from './landing-frame.ts';
import { createLandingReads } from './landing-reads.ts';
import { type BidFigures, type ClientOf, exactBids, LandingTally } from './landing-rules.ts';
import { type SpanSums, sumsByStart } from './landing-sums.ts';

/** What it takes to land. */
export interface LandingAnswers {
  /** Attempts of a window at a venue, what came of them, and what they bid. */
  conditions(window: LandingWindowName, venue: LandingVenue): Buffer | Promise<Buffer>;
}

export interface WarmLandingAnswers extends LandingAnswers {
  /** Reads the day beside everything else, and from then on each minute that is over. */
  warm(): void;
  /** The day was read to its end, at the last look. */
  readonly isWarm: boolean;
  close(): void;
}

export interface LandingDeps {
  readonly client: StoreClient;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly log: Logger;
  readonly leaders: Pick<Leaders, 'scheduleAt'>;
  readonly known: KnownLeaders;
}

/** Figures are made again when they are older, and at work for a tenth of the time at most. */
const FRESH_MS = 5_000;
const REUSE_MS = 30_000;
/** While the next ones are made, such as are younger than this are given. */
const AHEAD_MS = 45_000;
/** Minutes of the day, and so of the hour, that are read at once: a read that was quick is followed by a longer one, up to the most. */
const MINUTES_AT_ONCE = { least: 5, first: 10, most: 120 } as const;
const QUICK_MS = 1_500;
/** Between two looks for minutes that are over, and behind a read that failed. */
const LOOK_MS = 60_000;
const RETRY_MS = 30_000;
/** Longer than a read takes here may be a store that does not keep up: the service rests as long as it read. */
const REST_TIMES = 1;

/** Sums of a window, of all venues. */
interface FoundWindow {
  readonly frame: LandingFrame;
  readonly spans: readonly SpanSums[];
  /** Undefined where they are made of the sums. */
  readonly bids: BidFigures | undefined;
  readonly since: number | undefined;
  /** Bodies, and those that are being made. */
  readonly bodies: Map<LandingVenue, Buffer | Promise<Buffer>>;
}

const NO_BIDS: BidFigures = { price: undefined, fee: undefined, tip: undefined, middles: new Map() };

export function createLandingAnswers({ client, feed, clock, log, leaders, known }: LandingDeps): WarmLandingAnswers {
  const ending = new AbortController();
  const { signal } = ending;
  const reads = createLandingReads(client);
  const day = new LandingDay(reads);
  const frames: FrameDeps = {
    ...{ client, reads, feed, clock },
    unbroken: createUnbrokenReader(client, clock),
    wholeSince: createWholeSince(client, clock),
  };
  const windows = createRefreshed<FoundWindow>({
    clock,
    capacity: Object.keys(LANDING_WINDOWS).length,
    ...{ freshMs: FRESH_MS, reuseMs: REUSE_MS, aheadMs: AHEAD_MS },
  });

  async function find(window: LandingWindowName): Promise<FoundWindow> {
    const frame = await readFrame(frames, window);
    if (frame === undefined) throw new ApiError('warming_up', { message: 'there is no block yet' });
    const bodies: FoundWindow['bodies'] = new Map();
    const portions = new Portions(clock);
    const turn = () => portions.turn();
    if (!LANDING_WINDOWS[window].isExact) {
      const { spans, since } = await day.open(frame, turn);
      return { frame, spans, bids: undefined, since: later(since, frame.since), bodies };
    }
    const span = spanOf(frame, frame.from, frame.now);
    if (span === undefined) return { frame, spans: [], bids: NO_BIDS, since: frame.since, bodies };
    const [sums, slots, reasons, bids] = await Promise.all([
      reads.counts(span),
      reads.slots(span),
      reads.reasons(span),
      reads.bids(span),
    ]);
    const spans = [...(await sumsByStart({ sums, slots, reasons }, () => 0, turn)).values()];
    return { frame, spans, bids: exactBids(bids), since: frame.since, bodies };
  }

  /** At once where it was made before; all who ask meanwhile share its making. */
  function bodyOf(window: LandingWindowName, venue: LandingVenue, found: FoundWindow): Buffer | Promise<Buffer> {
    const known = found.bodies.get(venue);
    if (known !== undefined) return known;
    const { bodies } = found;
    const making = makeBody(window, venue, found).then(
      (body) => {
        bodies.set(venue, body);
        return body;
      },
      (error: unknown) => {
        bodies.delete(venue);
        throw error;
      },
    );
    bodies.set(venue, making);
    return making;
  }

  /** Adds up in portions: a day has 1,440 minutes. */
  async function makeBody(window: LandingWindowName, venue: LandingVenue, found: FoundWindow): Promise<Buffer> {
    const portions = new Portions(clock);
    const tally = new LandingTally();
    const clientOf = clientsOf(leaders, known);
    for (const span of found.spans) {
      tally.add(span, venue, clientOf);
      await portions.turn();
    }
    const bids = venue === 0 ? (found.bids ?? tally.bids()) : NO_BIDS;
    const revertedKnown = knowsReverted(found.frame);
    const body = landingBody({ window, venue, tally, bids, revertedKnown, since: found.since });
    return stampBody(body, found.frame.mark);
  }

  /** Reads some of what the day lacks. False when it lacks nothing. */
  async function fillSome(most: number): Promise<boolean> {
    const frame = await readFrame(frames, '24h');
    const portions = new Portions(clock);
    return frame !== undefined && (await day.fill(frame, { most, turn: () => portions.turn(), signal }));
  }

  let isWarm = false;

  async function follow(): Promise<void> {
    let most: number = MINUTES_AT_ONCE.first;
    while (!signal.aborted) {
      const began = clock.elapsed();
      try {
        const isRead = await readForService(() => fillSome(most));
        isWarm = !isRead;
        const took = clock.elapsed() - began;
        if (isRead && took < QUICK_MS) most = Math.min(MINUTES_AT_ONCE.most, 2 * most);
        await clock.sleep(isRead ? took * REST_TIMES : LOOK_MS, signal);
      } catch (error) {
        if (signal.aborted) return;
        most = Math.max(MINUTES_AT_ONCE.least, most >> 1);
        log.warn({ err: String(error) }, 'landing conditions of a day could not be read; it is tried again');
        await clock.sleep(RETRY_MS, signal);
      }
    }
  }

  return {
    conditions: (window, venue) =>
      windows.with(
        window,
        () => find(window),
        (found) => bodyOf(window, venue, found),
      ),
    warm() {
      void follow();
    },
    get isWarm() {
      return isWarm;
    },
    close() {
      ending.abort();
    },
  };
}

/** Clients of slots, mostly in order: the schedule of the last one is at hand. */
function clientsOf(leaders: Pick<Leaders, 'scheduleAt'>, known: KnownLeaders): ClientOf {
  let schedule: EpochSchedule | undefined;
  /** By the place of their leader in the schedule. */
  let clients: string[] = [];
  return (slot) => {
    if (schedule === undefined || !isOfEpoch(schedule, slot)) {
      schedule = leaders.scheduleAt(slot);
      if (schedule === undefined || !isOfEpoch(schedule, slot)) return UNKNOWN_CLIENT;
      clients = schedule.validators.map((validator) => known(validator).client ?? UNKNOWN_CLIENT);
    }
    return clients[schedule.leaders[slot - schedule.firstSlot]!] ?? UNKNOWN_CLIENT;
  };
}

function later(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : Math.max(a, b ?? 0);
}
