import type { Alarms } from '../../kernel/alarms.ts';
import type { OddityCode } from '../../kernel/journal.ts';
import type { StoreTroubleFigures } from '../../store/clickhouse/write/store-trouble.ts';
import type { IngestSnapshot } from './ingest-snapshot.ts';
import type { OddityCounts } from './oddity-counts.ts';
import { RATED_PROGRAMS } from './program-rates.ts';

/** No block for so long from a source that should be live. */
const SILENT_MS = 30_000;
/** Age of the newest block. Who catches up is not in trouble: it must not have come nearer for so long. */
const LAG_MS = 30_000;
const CATCH_UP_MS = 15_000;
/** Milliseconds by which the newest block must have come nearer; block times are whole seconds. */
const CATCH_UP_STEP_MS = 1_000;
/**
 * Slots derived that the store does not have: a minute of the chain. So many wait
 * too while much is caught up with at once: the store must not have come to where
 * the head was for so long.
 */
const STORE_LAG_SLOTS = 150;
const STORE_LAG_MS = 15_000;
/** One read or flush that is waited for so long may hold everything back. */
const STORE_WAIT_MS = 5_000;
/** Milliseconds that an oddity in the data stays an alarm after the last time. */
const ODD_MS = 600_000;

/** While one of these lasts nothing may be pulled from the source, so its silence says nothing. */
const HELD_BACK: ReadonlySet<string> = new Set(['disk_low', 'descriptors_exhausted']);

/** Oddities that a person should know of, because they mean that the chain has outgrown us. */
const ODD_ALARMS = [
  {
    alarm: 'events_unreadable',
    codes: ['unknown_event', 'event_too_short', 'event_count_mismatch', 'missing_pool_mints'],
    message: 'events could not be read and their facts are missing: a program has changed',
  },
  {
    alarm: 'events_grew',
    codes: ['event_tail', 'unknown_instruction'],
    message: 'events or instructions have something new that is not read yet: a program has changed',
  },
  {
    alarm: 'transactions_malformed',
    codes: ['malformed_transaction', 'value_out_of_range'],
    message: 'transactions could not be read and their facts are missing: the wire format or the node has changed',
  },
  {
    alarm: 'rpc_unlinked',
    codes: ['unlinked_block'],
    message: 'a block by RPC did not follow the one that is held before it, and was not stored: from',
    named: true,
  },
  {
    alarm: 'chain_in_doubt',
    codes: ['doubtful_block'],
    message:
      'a node holds to a block that does not follow the one that is held: either may be wrong, both are in doubt: from',
    named: true,
  },
] as const satisfies readonly OddAlarm[];

interface OddAlarm {
  readonly alarm: string;
  readonly codes: readonly OddityCode[];
  readonly message: string;
  /** The message ends with whom it concerns. */
  readonly named?: true;
}

/** Begins and ends the alarms that the figures call for. */
export interface IngestAlarms {
  /** A block of the live chain came. */
  sawBlock(): void;
  /** Called every second or so: much of it only time can tell. */
  review(snapshot: Reviewed): void;
}

interface Reviewed extends Omit<IngestSnapshot, 'alarms'> {
  /** Files and connections wait for a file descriptor. */
  readonly shortOfDescriptors: boolean;
  /** Reads and flushes that ingest waits for at the store. */
  readonly storeTrouble: StoreTroubleFigures | undefined;
  /** The reason why the source's node refuses what it gave before. */
  readonly refusal?: string | undefined;
}

const SHORT_OF_DESCRIPTORS = 'no file descriptor is left: ingest waits until files and connections can be opened again';

export interface IngestAlarmsOptions {
  readonly alarms: Alarms;
  readonly oddities: OddityCounts;
  /** Monotonic milliseconds. */
  readonly elapsed: () => number;
}

export function createIngestAlarms({ alarms, oddities, elapsed }: IngestAlarmsOptions): IngestAlarms {
  let lastBlockAt = elapsed();
  let nearest = { lagMs: Number.POSITIVE_INFINITY, at: elapsed() };
  /** A head that the store has not come to yet, and when that was the head. */
  let owed = { slot: 0, at: elapsed() };
  const odd = ODD_ALARMS.map((each) => ({ ...each, count: 0, seenAt: Number.NEGATIVE_INFINITY }));

  function reviewOdd(): void {
    for (const each of odd) {
      const count = oddities.total(each.codes);
      if (count > each.count) each.seenAt = elapsed();
      each.count = count;
      const message = `${count} times so far, ${each.message}${'named' in each ? ` ${subjectsOf(each.codes)}` : ''}`;
      alarms.set(each.alarm, elapsed() - each.seenAt < ODD_MS ? message : undefined);
    }
  }

  /** Programs, events or readers that oddities concern, and the newest two slots that do not fit together. */
  function subjectsOf(codes: readonly OddityCode[]): string {
    const told = oddities.newest(codes).map(({ subject, detail }) => {
      const slots = `slot ${detail?.slot} and slot ${detail?.held_slot}, which is held`;
      return detail?.held_slot === undefined ? subject : `${subject} (${slots})`;
    });
    return told.join(', ');
  }

  function reviewPrograms(programs: IngestSnapshot['programs']): void {
    for (const program of RATED_PROGRAMS) {
      const { recent, usual, dropped } = programs[program];
      const message =
        `facts of ${program} fell to ${recent?.toFixed(2)} per block from ${usual?.toFixed(2)}` +
        ' while blocks keep coming: it may publish its events differently now';
      alarms.set(`rate_drop_${program}`, dropped ? message : undefined);
    }
  }

  /** A source that nothing is pulled from is not silent, and has its time again when it is. */
  function reviewSource(isPulled: boolean): void {
    if (!isPulled) lastBlockAt = elapsed();
    const silentMs = elapsed() - lastBlockAt;
    const message = `no block has come for ${Math.round(silentMs / 1_000)} s`;
    alarms.set('source_silent', silentMs > SILENT_MS ? message : undefined);
  }

  function reviewStore({ headSlot, committedSlot, lagSlots, heldBatches, storeTrouble }: Reviewed): void {
    if (committedSlot >= owed.slot) owed = { slot: headSlot, at: elapsed() };
    const waitMs = storeTrouble?.longestMs ?? 0;
    const isBehind = lagSlots > STORE_LAG_SLOTS && elapsed() - owed.at > STORE_LAG_MS;
    const message = `the store is ${lagSlots} slots behind, ${heldBatches} batches wait for it`;
    const waited =
      waitMs > STORE_LAG_MS ? `${message}; it has not answered for ${Math.round(waitMs / 1_000)} s` : undefined;
    alarms.set('store_behind', waited ?? (isBehind ? message : undefined));
    alarms.set('store_failing', storeTrouble?.failing);
    alarms.set('store_login_refused', storeTrouble?.loginRefused);
  }

  function reviewLag(lagMs: number | undefined): void {
    if (lagMs === undefined || lagMs <= LAG_MS) {
      nearest = { lagMs: Number.POSITIVE_INFINITY, at: elapsed() };
      alarms.set('lagging', undefined);
      return;
    }
    if (lagMs <= nearest.lagMs - CATCH_UP_STEP_MS) nearest = { lagMs, at: elapsed() };
    const isStuck = elapsed() - nearest.at > CATCH_UP_MS;
    alarms.set('lagging', isStuck ? `the newest block is ${Math.round(lagMs / 1_000)} s old` : undefined);
  }

  return {
    sawBlock() {
      lastBlockAt = elapsed();
    },
    review(snapshot) {
      const { source, ended, lagMs, lagSlots, programs } = snapshot;
      reviewOdd();
      reviewPrograms(programs);
      alarms.set('descriptors_exhausted', snapshot.shortOfDescriptors ? SHORT_OF_DESCRIPTORS : undefined);
      alarms.set('source_refused', snapshot.refusal);
      reviewStore(snapshot);
      // A replay is as old as it is, and pauses when it has ended.
      const isLive = source !== 'replay' && !ended;
      const isHeldBack = alarms.list().some(({ code }) => HELD_BACK.has(code));
      const isWaiting = (snapshot.storeTrouble?.longestMs ?? 0) > STORE_WAIT_MS;
      reviewSource(isLive && lagSlots <= STORE_LAG_SLOTS && !isHeldBack && !isWaiting);
      reviewLag(isLive ? lagMs : undefined);
    },
  };
}
