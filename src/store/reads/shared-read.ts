import { ReadFault } from './read-fault.ts';
import { Asker, Leaving, type Reader, readAs, readerNow } from './reader.ts';

/**
 * Something that is read once for all who wait for it. It begins when the first of them comes and is given
 * up when the last one has left, with every query of it that waits or is under way. Then it is
 * `abandoned`, and whoever comes has to begin another.
 */
export class SharedRead<T> {
  readonly #read: () => Promise<T>;
  readonly #leaving = new Leaving();
  /** One for each time that somebody waits. */
  readonly #waiting = new Set<{ readonly reader: Reader }>();
  readonly #changed = new Set<() => void>();
  /** Accounts in whose share it goes on. */
  readonly #keepers = new Set<string>();
  /** Requests that wait, as they were asked for last; undefined when others do since. */
  #askers: readonly Asker[] | undefined;
  #result: Promise<T> | undefined;
  #isDone = false;

  constructor(read: () => Promise<T>) {
    this.#read = read;
  }

  get abandoned(): boolean {
    return this.#leaving.left !== undefined;
  }

  /** Waits for the result on behalf of the current reader. Rejects at once when that reader leaves. */
  wait(): Promise<T> {
    if (this.#isDone) return this.#result!;
    const reader = readerNow();
    if (reader.left !== undefined) return Promise.reject(reader.left);
    const leave = this.#join(reader);
    return new Promise<T>((resolve, reject) => {
      const forget = reader.onLeave((reason) => {
        leave();
        reject(reason);
      });
      this.#result!.then(resolve, reject).finally(() => {
        forget();
        leave();
      });
    });
  }

  /** Goes on to its end for whoever comes next, once in the share of each account that asks for it. */
  keep(): void {
    const reader = readerNow();
    const [asker] = reader.askers();
    if (asker === undefined || reader.left !== undefined || this.#isDone || this.abandoned) return;
    if (this.#keepers.has(asker.share.account)) return;
    this.#keepers.add(asker.share.account);
    const heir = new Asker(() => asker.share, asker.patienceMs, true);
    const leave = this.#join(heir);
    const end = () => {
      leave();
      heir.leave();
    };
    this.#result!.then(end, end);
  }

  #join(reader: Reader): () => void {
    const place = { reader };
    this.#waiting.add(place);
    this.#askers = undefined;
    const unwatch = reader.onChange(() => this.#tell());
    this.#result ??= readAs(this.#asReader(), this.#read).finally(() => {
      this.#isDone = true;
    });
    this.#tell();
    return () => {
      if (!this.#waiting.delete(place)) return;
      this.#askers = undefined;
      unwatch();
      if (this.#waiting.size > 0) this.#tell();
      else if (!this.#isDone) this.#leaving.leave(new ReadFault('abandoned', 'nobody waits for it any more'));
    };
  }

  #tell(): void {
    this.#askers = undefined;
    for (const told of [...this.#changed]) told();
  }

  /** Asked for by each read that waits for its turn, whenever somebody leaves: hundreds may wait. */
  #askersNow(): readonly Asker[] {
    if (this.#askers === undefined) {
      const askers = new Set<Asker>();
      for (const { reader } of this.#waiting) for (const asker of reader.askers()) askers.add(asker);
      this.#askers = [...askers];
    }
    return this.#askers;
  }

  #asReader(): Reader {
    const leaving = this.#leaving;
    const waiting = this.#waiting;
    return {
      // While those who wait are told one after the other, all of them may have left already.
      get left() {
        if (leaving.left !== undefined) return leaving.left;
        let first: Error | undefined;
        for (const { reader } of waiting) {
          const reason = reader.left;
          if (reason === undefined) return undefined;
          first ??= reason;
        }
        return first;
      },
      onLeave: (told) => leaving.onLeave(told),
      askers: () => this.#askersNow(),
      onChange: (told) => {
        const own = () => told();
        this.#changed.add(own);
        return () => this.#changed.delete(own);
      },
    };
  }
}
