import type { Asker } from './reader.ts';

/** Several places are held by one key at most, and by one account. */
export interface LineLimits {
  readonly perAccount: number;
  readonly perKey: number;
  /** Requests that read or wait to. */
  readonly requestsPerAccount: number;
  readonly requestsPerKey: number;
}

export const LAST_LEVEL = 4;

/** An account's requests and reads under way, and those of its reads that wait: `W` waits. */
export class AccountLine<W> {
  /** In the order in which they came. */
  readonly waiting = new Set<W>();
  /** Requests let in, and until when each reads at most. */
  readonly #requests = new Map<Asker, number>();
  /** Askers in whose name reads go on after their requests were answered. */
  readonly #heirs = new Set<Asker>();
  readonly account: string;
  readonly #limits: LineLimits;
  readonly #requestsByKey = new Map<string, number>();
  readonly #underWayByKey = new Map<string, number>();
  #underWay = 0;

  constructor(account: string, limits: LineLimits) {
    this.account = account;
    this.#limits = limits;
  }

  get underWay(): number {
    return this.#underWay;
  }

  /** True when the account may begin no other read, by any of its keys. */
  get isFull(): boolean {
    return this.#underWay >= this.#limits.perAccount;
  }

  get isIdle(): boolean {
    return this.#underWay === 0 && this.waiting.size === 0 && this.demand === 0;
  }

  /** Requests that read or wait to, and what is read on for others. */
  get demand(): number {
    return this.#requests.size + this.#heirs.size;
  }

  /** From 1 to {@link LAST_LEVEL}: one more for each time that its demand doubles. */
  get level(): number {
    return Math.min(LAST_LEVEL, 1 + Math.floor(Math.log2(Math.max(1, this.demand))));
  }

  has(asker: Asker): boolean {
    return this.#requests.has(asker) || this.#heirs.has(asker);
  }

  hasRoomFor({ share, isHeir }: Asker): boolean {
    if (isHeir) return true;
    const ofKey = this.#requestsByKey.get(share.key) ?? 0;
    return this.#requests.size < this.#limits.requestsPerAccount && ofKey < this.#limits.requestsPerKey;
  }

  add(asker: Asker, until: number): void {
    if (asker.isHeir) {
      this.#heirs.add(asker);
      return;
    }
    this.#requests.set(asker, until);
    count(this.#requestsByKey, asker.share.key, 1);
  }

  remove(asker: Asker): void {
    this.#heirs.delete(asker);
    if (this.#requests.delete(asker)) count(this.#requestsByKey, asker.share.key, -1);
  }

  /** End of the oldest request that stands in the way of another of this key, whatever comes of it. */
  freeAt({ share }: Asker): number | undefined {
    const isKeyFull = (this.#requestsByKey.get(share.key) ?? 0) >= this.#limits.requestsPerKey;
    for (const [asker, until] of this.#requests) if (!isKeyFull || asker.share.key === share.key) return until;
    return undefined;
  }

  mayRead(key: string): boolean {
    return !this.isFull && (this.#underWayByKey.get(key) ?? 0) < this.#limits.perKey;
  }

  begin(key: string): void {
    this.#underWay += 1;
    count(this.#underWayByKey, key, 1);
  }

  end(key: string): void {
    this.#underWay -= 1;
    count(this.#underWayByKey, key, -1);
  }
}

function count(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const next = (counts.get(key) ?? 0) + by;
  if (next === 0) counts.delete(key);
  else counts.set(key, next);
}
