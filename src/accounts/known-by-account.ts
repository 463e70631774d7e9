/** Values that were looked up, by their text, and found by their account too: a change concerns one account of many. */
export class KnownByAccount<V extends object> {
  /** In the order of looking up. A map and nothing about it: it is asked for every request. */
  readonly #known = new Map<string, V>();
  readonly #max: number;
  readonly #texts = new Map<number, Set<string>>();
  readonly #accountOf: (value: V) => number;

  /** Keeps so many; the one looked up longest ago goes first, however often it was asked for since. */
  constructor(max: number, accountOf: (value: V) => number) {
    this.#max = max;
    this.#accountOf = accountOf;
  }

  get(text: string): V | undefined {
    return this.#known.get(text);
  }

  set(text: string, value: V): void {
    this.forget(text);
    const [oldest] = this.#known.size < this.#max ? [] : this.#known.keys();
    if (oldest !== undefined) this.forget(oldest);
    this.#known.set(text, value);
    const accountId = this.#accountOf(value);
    const ofAccount = this.#texts.get(accountId);
    if (ofAccount === undefined) this.#texts.set(accountId, new Set([text]));
    else ofAccount.add(text);
  }

  forget(text: string): void {
    const value = this.#known.get(text);
    if (value === undefined) return;
    this.#known.delete(text);
    this.#unlist(text, this.#accountOf(value));
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
    this.#texts.clear();
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
