import type { Address } from '../chain/address.ts';
import type { Clock } from '../kernel/clock.ts';
import type { TokenMetadataRow } from '../store/clickhouse/schema/background-tables.ts';
import type { DocumentAnswer, Documents } from './documents.ts';
import { readTarget, siteOf } from './fetch-target.ts';
import { type Job, JobQueue, type Lane } from './job-queue.ts';
import { RememberedTries } from './remembered-tries.ts';
import { readUri } from './token-uri.ts';
import { triedRow } from './tried-row.ts';
import type { WantedUri } from './uris-wanted.ts';

/** Reads documents in the background, and again those that could not be read. */
export interface MetadataCollector {
  /** Has a document read some time soon, unless that is so already or was done lately; `later`, behind all that wait. */
  want(wanted: WantedUri, queueEnd?: QueueEnd): void;
  /** Has it read next, and resolves with what came of it; undefined when others came before it. */
  read(wanted: WantedUri): Promise<TokenMetadataRow | undefined>;
  /** Has a document that is wanted already read next; undefined when it is not wanted. */
  join(mint: Address): Promise<TokenMetadataRow | undefined> | undefined;
  /** Row of the last try, if that was lately; undefined too when it needs another try and none is planned or under way. */
  latest(mint: Address): TokenMetadataRow | undefined;
  /** Takes over a row that the store has, unless a newer one is known: what waits in it for its time is read when that has come. */
  resume(row: TokenMetadataRow): void;
  /** True while a lane has room for documents that another look into the store may find. */
  hasRoom(): boolean;
  /** Starts what is due, until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
  readonly figures: CollectorFigures;
}

export interface CollectorFigures {
  readonly queued: number;
  readonly underWay: number;
  /** Documents that wait for another try. */
  readonly waiting: number;
  /** Tries by what came of them. */
  readonly tries: Readonly<Record<string, number>>;
}

export interface CollectorDeps {
  readonly documents: Documents;
  readonly clock: Clock;
  /** Told what came of every try. */
  readonly note: (row: TokenMetadataRow) => void;
  /** 0 to below 1. Tests give a fixed one. */
  readonly random?: () => number;
  readonly limits?: CollectorLimits;
}

export interface CollectorLimits {
  /** Jobs that wait in each lane. */
  readonly queued: number;
  readonly underWay: Readonly<Record<Lane, number>>;
  /** Jobs under way at one stranger's site. */
  readonly perSite: number;
  /** Documents that wait for another try, and those of which the last answer is remembered. */
  readonly remembered: number;
}

/**
 * Enough for a minute of the busiest launches seen; what is let go is found again in the store. Content that nobody
 * has takes a worker up to nine seconds, seven times: 16 bear it when one token in five of 100,000 a day names such.
 */
export const COLLECTOR_LIMITS: CollectorLimits = {
  queued: 2_000,
  underWay: { gateways: 16, strangers: 8 },
  perSite: 2,
  remembered: 5_000,
};

type QueueEnd = 'next' | 'later';

const LANES = ['gateways', 'strangers'] as const;
const TICK_MS = 500;

export function createCollector(deps: CollectorDeps): MetadataCollector {
  const { documents, clock, note, random = Math.random, limits = COLLECTOR_LIMITS } = deps;
  const jobs = new Map<Address, Job>();
  const lane = (name: Lane) =>
    new JobQueue({ waiting: limits.queued, underWay: limits.underWay[name], perSite: limits.perSite });
  const lanes = { gateways: lane('gateways'), strangers: lane('strangers') };
  const remembered = new RememberedTries(limits.remembered);
  const tries: Record<string, number> = {};
  let stopping: AbortSignal = AbortSignal.abort();
  const seconds = () => Math.floor(clock.now() / 1_000);

  function settle(wanted: WantedUri, answer: Parameters<typeof triedRow>[1]): TokenMetadataRow {
    const row = triedRow(wanted, answer, seconds(), random);
    tries[row.outcome || 'read'] = (tries[row.outcome || 'read'] ?? 0) + 1;
    remembered.add(row);
    note(row);
    return row;
  }

  function enqueue(wanted: WantedUri, queueEnd: QueueEnd): Job | TokenMetadataRow {
    const known = jobs.get(wanted.mint);
    if (known !== undefined) {
      if (queueEnd === 'next') lanes[known.lane].prefer(known);
      return known;
    }
    const resource = readUri(wanted.uri);
    if (resource === undefined) return settle(wanted, { none: wanted.uri.trim() === '' ? 'no_uri' : 'bad_uri' });
    remembered.begun(wanted.mint);
    const target = resource.kind === 'web' ? readTarget(resource.url) : 'scheme';
    const { promise, resolve } = withResolver<TokenMetadataRow | undefined>();
    const job: Job = {
      ...wanted,
      resource,
      site: typeof target === 'string' ? resource.kind : siteOf(target),
      lane: resource.kind === 'web' ? 'strangers' : 'gateways',
      done: promise,
      finish: resolve,
    };
    jobs.set(job.mint, job);
    const dropped = lanes[job.lane].add(job, queueEnd);
    if (dropped !== undefined) end(dropped, undefined);
    // Those before it could not be started either: it is the only one worth a look.
    if (lanes[job.lane].canStart(job)) pump(job.lane);
    return job;
  }

  function end(job: Job, row: TokenMetadataRow | undefined): void {
    if (jobs.get(job.mint) === job) jobs.delete(job.mint);
    job.finish(row);
  }

  function pump(name: Lane): void {
    const queue = lanes[name];
    while (!stopping.aborted) {
      const job = queue.take();
      if (job === undefined) return;
      void work(job).finally(() => {
        queue.leave(job);
        pump(name);
      });
    }
  }

  async function work(job: Job): Promise<void> {
    const answer = await documents.read(job.uri, job.resource, stopping).catch((): DocumentAnswer => UNREACHABLE);
    // A read that we broke off ourselves says nothing of the host.
    end(job, stopping.aborted ? undefined : settle(job, answer));
  }

  function latest(mint: Address): TokenMetadataRow | undefined {
    const row = remembered.get(mint);
    const isLost = row?.state === 'waiting' && !remembered.isWaiting(mint) && !jobs.has(mint);
    return isLost ? undefined : row;
  }

  return {
    want(wanted, queueEnd = 'next') {
      const known = remembered.get(wanted.mint);
      if (known !== undefined && (known.state !== 'waiting' || known.retry_at > seconds())) return;
      enqueue(wanted, queueEnd);
    },
    async read(wanted) {
      const job = enqueue(wanted, 'next');
      return 'done' in job ? job.done : job;
    },
    join(mint) {
      const job = jobs.get(mint);
      if (job !== undefined) lanes[job.lane].prefer(job);
      return job?.done;
    },
    latest,
    resume(row) {
      if (jobs.has(row.mint)) return;
      const known = latest(row.mint);
      if (known === undefined || known.checked_at < row.checked_at) remembered.add(row);
    },
    hasRoom: () => LANES.some((name) => lanes[name].waiting < limits.queued / 2),
    async run(signal) {
      stopping = signal;
      while (!signal.aborted) {
        for (const wanted of remembered.due(seconds())) enqueue(wanted, 'later');
        for (const name of LANES) pump(name);
        await clock.sleep(TICK_MS, signal);
      }
      for (const job of [...jobs.values()]) end(job, undefined);
    },
    get figures() {
      const { gateways, strangers } = lanes;
      return {
        queued: gateways.waiting + strangers.waiting,
        underWay: gateways.underWay + strangers.underWay,
        waiting: remembered.waiting,
        tries,
      };
    },
  };
}

const UNREACHABLE: DocumentAnswer = { fault: 'unreachable' };

function withResolver<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
