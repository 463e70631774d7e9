import type { LRUCache } from 'lru-cache';
import { createBoundedMap } from '../kernel/bounded-map.ts';

/** Values that were looked up, by their text, and found by their account too: a change concerns one account of many. */
export class KnownByAccount<V extends object> {
  readonly #known: LRUCache<string, V>;
  readonly #texts = new Map<number, Set<string>>();
  readonly #accountOf: (value: V) => number;

  /** Keeps so many; the one looked up longest ago goes first, however often it was asked for since. */
  constructor(max: number, accountOf: (value: V) => number) {
    this.#accountOf = accountOf;
    this.#known = createBoundedMap(max, (value, text) => this.#unlist(text, accountOf(value)));
  }

  get(text: string): V | undefined {
    return this.#known.peek(text);
  }

  set(text: string, value: V): void {
    this.#known.set(text, value);
    const accountId = this.#accountOf(value);
    const ofAccount = this.#texts.get(accountId);
    if (ofAccount === undefined) this.#texts.set(accountId, new Set([text]));
    else ofAccount.add(text);
  }

  forget(text: string): void {
    this.#known.delete(text);
  }

  /** Forgets what is known of an account, or what of it is concerned. */
  forgetAccount(accountId: number, isConcerned: (value: V) => boolean = () => true): void {
    for (const text of [...(this.#texts.get(accountId) ?? [])]) {
      const value = this.get(text);
      if (value !== undefined && isConcerned(value)) this.forget(text);
    }
  }

  forgetAll(): void {
    this.#known.clear();
  }

  values(): Iterable<V> {
    return this.#known.values();
  }

  #unlist(text: string, accountId: number): void {
    const ofAccount = this.#texts.get(accountId);
    ofAccount?.delete(text);
    if (ofAccount?.size === 0) this.#texts.delete(accountId);
  }
}
