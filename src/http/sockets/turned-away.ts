import { type Alarm, createAlarms } from '../../kernel/alarms.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import type { UnreadReason } from './unread-answers.ts';

/** Reasons why a connection was closed as it came. */
export type RefusalReason = 'full' | 'address';
/** Reasons why a connection was closed that had been let in. */
export type DropReason = UnreadReason | 'lingering';

/** The last connection that found no place is so long ago when there is room again. */
const FULL_FOR_MS = 30_000;
/** Between two lines of the log about refused and dropped connections. */
const TELL_EVERY_MS = 60_000;

export interface TurnedAwayOptions {
  readonly maxConnections: number;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Counts the connections that were turned away, and tells people of them. */
export class TurnedAway {
  readonly #options: TurnedAwayOptions;
  readonly #alarms;
  readonly #refused = { full: 0, address: 0 };
  readonly #dropped = { stalled: 0, slow: 0, unread: 0, pipelined: 0, lingering: 0 };
  #fullAt = Number.NEGATIVE_INFINITY;
  #told = { at: Number.NEGATIVE_INFINITY, sum: 0 };

  constructor(options: TurnedAwayOptions) {
    this.#options = options;
    this.#alarms = createAlarms(options);
  }

  get figures(): {
    readonly refused: Readonly<Record<RefusalReason, number>>;
    readonly dropped: Readonly<Record<DropReason, number>>;
  } {
    return { refused: { ...this.#refused }, dropped: { ...this.#dropped } };
  }

  alarms(): readonly Alarm[] {
    return this.#alarms.list();
  }

  dropped(reason: DropReason): void {
    this.#dropped[reason] += 1;
  }

  refusedByAddress(): void {
    this.#refused.address += 1;
  }

  noPlace(): void {
    const { clock, maxConnections } = this.#options;
    this.#refused.full += 1;
    this.#fullAt = clock.elapsed();
    this.#alarms.set('connections_full', `all ${maxConnections} connections are taken: more are closed as they come`);
  }

  /** To be called now and then, with the connections that are open. */
  tell(connections: number): void {
    const { clock, log } = this.#options;
    const now = clock.elapsed();
    if (now - this.#fullAt > FULL_FOR_MS) this.#alarms.set('connections_full', undefined);
    const counts = [...Object.values(this.#refused), ...Object.values(this.#dropped)];
    const sum = counts.reduce((all, each) => all + each, 0);
    if (sum === this.#told.sum || now - this.#told.at < TELL_EVERY_MS) return;
    this.#told = { at: now, sum };
    log.warn({ connections, ...this.figures }, 'connections were turned away');
  }
}
