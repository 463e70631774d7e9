import { networkOf } from '../../kernel/ip-address.ts';

/** The asker of a look-up. */
export interface Asker {
  /** A normal address; empty when nobody knows it any more. */
  readonly clientAddress: string;
}

/** Runs look-ups of keys or sessions that are not known, a few at a time, each once however many ask for it. */
export interface LookUpQueue<T> {
  /** Rejects with what the look-up rejects with, or when too many wait. Whoever is not named counts as one network. */
  run(digest: string, lookUp: () => Promise<T>, asker?: Asker): Promise<T>;
}

/** Half of the connections that a process has to the database: keys that nobody knows never take all. */
const MAX_RUNNING = 4;
/** Look-ups of one network that wait for one of those; a quarter of a second's work. */
const MAX_WAITING_EACH = 2_000;
/** The same of all networks. */
const MAX_WAITING = 8_000;
/** Sizes of the network that counts as one stranger, the same as for free trials. */
const IPV4_NETWORK_BITS = 24;
const IPV6_NETWORK_BITS = 48;

export interface LookUpQueueOptions {
  /** Look-ups that run at once. */
  readonly running?: number;
}

/** Networks take turns: whoever makes up keys waits behind them alone, and nobody else does. */
export function createLookUpQueue<T>({ running: most = MAX_RUNNING }: LookUpQueueOptions = {}): LookUpQueue<T> {
  const asked = new Map<string, Promise<T>>();
  /** By network, in the order of their turns; none is empty. */
  const waiting = new Map<string, (() => void)[]>();
  let waitingCount = 0;
  let running = 0;

  async function take(network: string): Promise<void> {
    if (running < most) {
      running += 1;
      return;
    }
    waitingCount += 1;
    // Whoever is done hands its place on.
    await new Promise<void>((resolve) => {
      const others = waiting.get(network);
      if (others === undefined) waiting.set(network, [resolve]);
      else others.push(resolve);
    });
  }

  function handOn(): void {
    const turn = waiting.entries().next();
    if (turn.done) {
      running -= 1;
      return;
    }
    const [network, resolves] = turn.value;
    const next = resolves.shift();
    waiting.delete(network);
    if (resolves.length > 0) waiting.set(network, resolves);
    waitingCount -= 1;
    next?.();
  }

  async function runOne(network: string, lookUp: () => Promise<T>): Promise<T> {
    await take(network);
    try {
      return await lookUp();
    } finally {
      handOn();
    }
  }

  return {
    run(digest, lookUp, asker) {
      const shared = asked.get(digest);
      if (shared !== undefined) return shared;
      const network = networkOfAsker(asker);
      const isFull = waitingCount >= MAX_WAITING || (waiting.get(network)?.length ?? 0) >= MAX_WAITING_EACH;
      if (isFull) return Promise.reject(new Error('too many look-ups wait'));
      const result = runOne(network, lookUp).finally(() => asked.delete(digest));
      asked.set(digest, result);
      return result;
    },
  };
}

function networkOfAsker({ clientAddress }: Asker = { clientAddress: '' }): string {
  return networkOf(clientAddress, IPV4_NETWORK_BITS, IPV6_NETWORK_BITS);
}
