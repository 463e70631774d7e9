import type { Address } from '../chain/address.ts';
import type { TokenMetadataRow } from '../store/clickhouse/schema/background-tables.ts';
import type { Resource } from './token-uri.ts';

/** A document that is to be read. */
export interface Job {
  readonly mint: Address;
  readonly uri: string;
  readonly resource: Resource;
  /** Key that is counted as one host; content by its hash has none of its own. */
  readonly site: string;
  readonly lane: Lane;
  /** Failed ones until now. */
  readonly tries: number;
  /** Row that the try came to; undefined when there was no try, because other jobs came before it. */
  readonly done: Promise<TokenMetadataRow | undefined>;
  readonly finish: (row: TokenMetadataRow | undefined) => void;
}

/** Gateways are few and known; strangers' hosts may be slow on purpose, and get workers of their own. */
export type Lane = 'gateways' | 'strangers';

export interface QueueLimits {
  /** Jobs that may wait in a lane. */
  readonly waiting: number;
  /** Jobs of a lane under way. */
  readonly underWay: number;
  /** Of them at one stranger's site. */
  readonly perSite: number;
}

/** Jobs of one lane: those somebody waits for first, then the newest. One that waits on a busy site lets others pass. */
export class JobQueue {
  readonly #limits: QueueLimits;
  /** The next one is the last. */
  readonly #waiting: Job[] = [];
  readonly #sites = new Map<string, number>();
  #underWay = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  get underWay(): number {
    return this.#underWay;
  }

  /** Queues a job. Returns the one that had to go for it, if one had to. */
  add(job: Job, place: 'next' | 'later'): Job | undefined {
    if (place === 'next') this.#waiting.push(job);
    else this.#waiting.unshift(job);
    if (this.#waiting.length <= this.#limits.waiting) return undefined;
    return this.#waiting.shift();
  }

  /** Makes a waiting job the next one. */
  prefer(job: Job): void {
    const at = this.#waiting.indexOf(job);
    if (at >= 0) this.#waiting.push(...this.#waiting.splice(at, 1));
  }

  /** True when a waiting job may be started now. */
  canStart(job: Job): boolean {
    return this.#underWay < this.#limits.underWay && this.#hasRoom(job);
  }

  /** The next job that may be started, which counts as under way from now on. */
  take(): Job | undefined {
    if (this.#underWay >= this.#limits.underWay) return undefined;
    const at = this.#waiting.findLastIndex((job) => this.#hasRoom(job));
    if (at < 0) return undefined;
    const [job] = this.#waiting.splice(at, 1);
    if (job === undefined) return undefined;
    this.#underWay += 1;
    this.#sites.set(job.site, (this.#sites.get(job.site) ?? 0) + 1);
    return job;
  }

  /** A job that was taken is over. */
  leave({ site }: Job): void {
    this.#underWay -= 1;
    const left = (this.#sites.get(site) ?? 1) - 1;
    if (left > 0) this.#sites.set(site, left);
    else this.#sites.delete(site);
  }

  #hasRoom({ lane, site }: Job): boolean {
    return lane === 'gateways' || (this.#sites.get(site) ?? 0) < this.#limits.perSite;
  }
}
