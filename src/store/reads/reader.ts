import { AsyncLocalStorage } from 'node:async_hooks';
import { ReadFault } from './read-fault.ts';

/** The asker to whose share of the store a read counts. */
export interface Share {
  /** All keys of an account together, or an address without one. */
  readonly account: string;
  readonly key: string;
}

/** Somebody who waits for reads: a request, several that share a read, or the service itself. */
export interface Reader {
  /** The reason why nobody waits any more; undefined while somebody does. */
  readonly left: Error | undefined;
  /** Calls back once, when nobody waits any more. Returns how to take that back. */
  onLeave(told: (reason: Error) => void): () => void;
  /** The requests that wait, the first one first; none while the service reads for itself. */
  askers(): readonly Asker[];
  /** Calls back whenever others wait than before. Returns how to take that back. */
  onChange(told: () => void): () => void;
}

const NOTHING = () => {};
const hasGone = () => new ReadFault('abandoned', 'whoever asked has gone');

/** Tells everybody once, and from then on nobody. */
export class Leaving {
  /** The reason, or how to make it: most who leave have read nothing, and nobody asks for their reason. */
  #left: Error | (() => Error) | undefined;
  #told: Set<(reason: Error) => void> | undefined;

  get left(): Error | undefined {
    if (typeof this.#left === 'function') this.#left = this.#left();
    return this.#left;
  }

  onLeave(told: (reason: Error) => void): () => void {
    const { left } = this;
    if (left !== undefined) {
      told(left);
      return NOTHING;
    }
    this.#told ??= new Set();
    const all = this.#told;
    // The same function may be handed over twice.
    const own = (reason: Error) => told(reason);
    all.add(own);
    // While everybody is told, too: who has taken it back is told no more.
    return () => all.delete(own);
  }

  leave(reason: Error | (() => Error)): void {
    if (this.#left !== undefined) return;
    this.#left = reason;
    const told = this.#told;
    this.#told = undefined;
    for (const tell of told ?? []) tell(this.left!);
  }
}

/**
 * One request, as far as it reads the store. It is made for every request and costs next to nothing until
 * it reads something.
 */
export class Asker extends Leaving implements Reader {
  readonly #shareOf: () => Share;
  #share: Share | undefined;
  /** Milliseconds that it waits at most, from its first read on. */
  readonly patienceMs: number;
  /** No request, but what is read on in the share of one that was answered: nobody is refused on account of it. */
  readonly isHeir: boolean;

  constructor(shareOf: () => Share, patienceMs: number, isHeir = false) {
    super();
    this.#shareOf = shareOf;
    this.patienceMs = patienceMs;
    this.isHeir = isHeir;
  }

  get share(): Share {
    this.#share ??= this.#shareOf();
    return this.#share;
  }

  /** Answered, given up, or gone: nothing more is read for it. */
  override leave(reason: Error | (() => Error) = hasGone): void {
    super.leave(reason);
  }

  askers(): readonly Asker[] {
    return [this];
  }

  onChange(): () => void {
    return NOTHING;
  }
}

/** The service reads for itself, and waits for as long as it takes. */
const SERVICE: Reader = { left: undefined, onLeave: () => NOTHING, askers: () => [], onChange: () => NOTHING };

const readers = new AsyncLocalStorage<Reader>();

/** Reads on behalf of somebody: whatever `read` asks of the store, now or later, is asked by them. */
export function readAs<T>(reader: Reader, read: () => T): T {
  return readers.run(reader, read);
}

/** Reads that nobody's leaving ends: they are for everybody. */
export function readForService<T>(read: () => T): T {
  return readers.run(SERVICE, read);
}

export function readerNow(): Reader {
  return readers.getStore() ?? SERVICE;
}
