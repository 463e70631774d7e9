import { createReadGate, type GateLimits } from '../../src/store/reads/read-gate.ts';
import { Asker, type Reader } from '../../src/store/reads/reader.ts';
import { createHandClock } from './hand-clock.ts';

/** Small, so that each of them is met. */
export const LIMITS: GateLimits = {
  places: 5,
  kept: 1,
  first: 0,
  perAccount: 3,
  perKey: 2,
  perGreedy: 3,
  requestsPerAccount: 6,
  requestsPerKey: 4,
  waiting: 12,
};
export const PATIENCE_MS = 5_000;

export const asker = (account: string, key = account) => new Asker(() => ({ account, key }), PATIENCE_MS);

/** A gate whose time is moved by hand, and the names let in so far. */
export function openGate(limits: Partial<GateLimits> = {}) {
  const clock = createHandClock();
  const gate = createReadGate({ clock, limits: { ...LIMITS, ...limits } });
  const order: string[] = [];
  /** Enters, and writes down when it is let in. */
  const enter = (name: string, reader: Reader = asker(name)) => {
    const entered = gate.enter(reader).then((place) => {
      order.push(name);
      return place;
    });
    entered.catch(() => {});
    return entered;
  };
  return { clock, gate, order, enter };
}

/** Lets everything happen that is due at once. */
export const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
