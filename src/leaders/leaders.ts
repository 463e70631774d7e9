import { type EpochRule, epochAt, isWithin } from '../chain/epochs.ts';
import type { Alarm } from '../kernel/alarms.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Journal } from '../kernel/journal.ts';
import type { Logger } from '../kernel/log.ts';
import { type ClusterNode, createClusterReads } from './cluster-reads.ts';
import { createDuties } from './duties.ts';
import type { EpochSchedule, Validator } from './epoch-schedule.ts';
import { createKeptEpochs } from './kept-epochs.ts';
import { createKnownValidators } from './known-validators.ts';
import { createLeaderReport, type LeaderFigures } from './leader-report.ts';
import type { LeaderStore } from './leader-store.ts';
import { createTipSharing, type TipSharing } from './tip-sharing.ts';
import type { StoredEpoch } from './turn-rows.ts';
import { createValidatorSaves } from './validator-saves.ts';

/** Who leads which slot: the epochs around now in memory, all others in the store. */
export interface Leaders {
  /** The schedule of the epoch that a slot is in: of the current epoch and, soon, the one before and the next one. */
  scheduleAt(slot: number): EpochSchedule | undefined;
  /** From the same schedules. */
  leaderAt(slot: number): Validator | undefined;
  /**
   * Leaders of slots of any age; those of slots without a schedule are left out. Rejects with the store's faults when it
   * has to be asked.
   */
  leadersOf(slots: readonly number[]): Promise<Map<number, Validator>>;
  /** Changes so far of what the schedules in memory say. */
  readonly changes: number;
  readonly figures: LeaderFigures;
  alarms(): readonly Alarm[];
  /** Resolves when nothing is asked any more. */
  stop(): Promise<void>;
}

export interface LeadersDeps {
  /** The node that is asked; undefined where there is none: then the store alone tells. */
  readonly node: ClusterNode | undefined;
  readonly store: LeaderStore;
  /** The newest slot of the service, 0 before the first. */
  readonly head: () => number;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Between two looks at the newest slot. */
const LOOK_EVERY_MS = 1_000;
/** Schedules do not change; who is delinquent and who runs what does. */
const REFRESH_MS = 300_000;
/** Names hardly ever do, and are the dearest to ask for. */
const NAMES_MS = 6 * 3_600_000;
/** Accounts for the tips of an epoch come one after the other, as their validators lead. */
const TIPS_MS = 600_000;
const SLOT_MS = 60_000;
/** Schedules that wait for a store that does not answer. */
const MAX_UNSAVED = 4;

/** Follows the epochs until it is stopped: reads schedules from the store, else from the node, each once. */
export function createLeaders({ node, store, head, clock, log }: LeadersDeps): Leaders {
  const stopping = new AbortController();
  const { signal } = stopping;
  const journal: Journal = { note: (oddity) => log.warn({ oddity }, 'odd data') };
  const cluster = node && createClusterReads(node, journal);
  const sharing = cluster && createTipSharing(cluster);
  const known = createKnownValidators();
  const saves = createValidatorSaves(store);
  let unsaved: StoredEpoch[] = [];
  let rule: EpochRule | undefined;
  let nodeSlot = 0;
  /** Where the node was when its votes had been told. */
  let seenSlot = -1;

  const duties = createDuties({ clock, log, signal });

  const currentSlot = () => head() || nodeSlot;
  const kept = createKeptEpochs({ known, currentSlot, seenSlot: () => seenSlot, log });
  const { scheduleAt, leaderAt } = kept;

  /** What the store has of validators: of the epoch, or of the last one before it. */
  async function recall(epoch: number): Promise<void> {
    known.recall((await store.validators(epoch)).validators);
  }

  /** The schedule of the epoch that a slot is in, of the store, else of the node. Undefined while nobody knows it. */
  async function read(slot: number): Promise<StoredEpoch | undefined> {
    const waiting = unsaved.find(({ span }) => isWithin(span, slot));
    if (waiting !== undefined) return waiting;
    const stored = await store.epochAt(slot).catch((error: unknown) => {
      // The node can say it as well.
      if (cluster === undefined) throw error;
      log.warn({ err: String(error) }, 'the store does not tell a schedule: the node is asked');
      return undefined;
    });
    if (stored !== undefined || cluster === undefined || rule === undefined) return stored;
    const span = epochAt(rule, slot);
    const leaders = await cluster.leaders(span, signal);
    if (leaders === undefined) return undefined;
    unsaved = [...unsaved, { span, leaders }].slice(-MAX_UNSAVED);
    return { span, leaders };
  }

  /** Learns who leads the epoch that a slot is in. False while nobody knows it. */
  async function learn(slot: number): Promise<boolean> {
    const epoch = await read(slot);
    if (epoch === undefined) return false;
    const recalled = recall(epoch.span.epoch);
    // What the node leaves out, or refuses, an earlier run may have known.
    await (unsaved.includes(epoch) ? recalled.catch(() => {}) : recalled);
    kept.keep(epoch);
    return true;
  }

  /** The same of an epoch that is over: what the store has of its validators says nothing of them now. */
  async function learnPast(slot: number): Promise<boolean> {
    const past = await read(slot);
    if (past === undefined) return false;
    const { epoch, validators } = await store.validators(past.span.epoch);
    const isOfThen = epoch !== undefined && epoch <= past.span.epoch;
    // Those of a later epoch are what is known anyway.
    kept.keepPast(past, isOfThen ? validators : []);
    return true;
  }

  async function followSchedules(): Promise<void> {
    if (cluster !== undefined) {
      if (rule === undefined) {
        await duties.rule.run(async () => {
          rule = await cluster.rule(signal);
          // Without it the node could not be asked for any schedule.
          for (const duty of [duties.current, duties.next, duties.previous]) duty.begin(duty.subject);
          return true;
        });
      }
      if (head() === 0) {
        await duties.slot.every(SLOT_MS, async () => {
          nodeSlot = await cluster.newestSlot(signal);
          return true;
        });
      }
    }
    const slot = currentSlot();
    if (slot === 0) return;
    if (scheduleAt(slot) === undefined) await duties.current.run(() => learn(slot));
    const current = scheduleAt(slot);
    if (current === undefined) return;
    if (duties.next.subject !== current.epoch) {
      // With an epoch stakes change.
      if (duties.next.subject !== undefined && duties.validators.failures === 0) duties.validators.begin(current.epoch);
      duties.next.begin(current.epoch);
      duties.previous.begin(current.epoch);
    }
    const next = current.firstSlot + current.slots;
    if (scheduleAt(next) === undefined) await duties.next.run(() => learn(next));
    kept.letGo(current.epoch);
    await duties.schedules.run(saveSchedules);
    // Last: most questions are about now.
    const previous = current.firstSlot - 1;
    if (previous >= 0 && scheduleAt(previous) === undefined) await duties.previous.run(() => learnPast(previous));
  }

  async function saveSchedules(): Promise<boolean> {
    while (unsaved.length > 0) {
      const [first] = unsaved;
      await store.saveSchedule(first!);
      unsaved = unsaved.filter((each) => each !== first);
    }
    return true;
  }

  async function followValidators(): Promise<void> {
    if (cluster !== undefined) {
      const isFresh = await duties.validators.every(REFRESH_MS, async () => {
        const voters = await cluster.voters(signal);
        // Behind them: at worst votes of an epoch's end are taken for those of the next one, until they are asked for again.
        seenSlot = await cluster.newestSlot(signal);
        known.see(voters);
        return true;
      });
      const isHeard = await duties.gossip.every(REFRESH_MS, async () => {
        known.hear(await cluster.gossip(signal));
        return true;
      });
      const isNamed = await duties.names.every(NAMES_MS, async () => {
        known.name(await cluster.names(signal));
        return true;
      });
      const isShared = sharing !== undefined && (await followTips(sharing));
      if (isFresh || isHeard || isNamed || isShared) kept.tell();
    }
    const current = scheduleAt(currentSlot());
    // Of the current epoch alone: what is known of the next one's validators is known of them today.
    if (cluster !== undefined && current !== undefined) await duties.rows.run(() => saveValidators(current));
  }

  async function followTips(sharing: TipSharing): Promise<boolean> {
    if (rule === undefined || seenSlot < 0) return false;
    const moment = { span: epochAt(rule, seenSlot), slot: seenSlot, schedule: scheduleAt(seenSlot) };
    return await duties.tips.every(TIPS_MS, async () => {
      known.share(await sharing.ask(moment, known.voters(), signal));
      return true;
    });
  }

  async function saveValidators(schedule: EpochSchedule): Promise<boolean> {
    // Before a node has said anything, all there is to write is what was read; and of a service that is behind, the node
    // tells what is true of a later epoch.
    if (duties.validators.failures > 0 || !isWithin(schedule, seenSlot)) return true;
    await saves.save(schedule);
    return true;
  }

  async function every(work: () => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      await work();
      await clock.sleep(LOOK_EVERY_MS, signal);
    }
  }

  const report = createLeaderReport({
    ...{ hasNode: cluster !== undefined, duties, clock, log },
    current: () => scheduleAt(currentSlot()),
    knows: (slot) => scheduleAt(slot) !== undefined,
  });
  const running = Promise.all([followSchedules, followValidators, async () => report.look()].map(every));
  return {
    scheduleAt,
    leaderAt,
    async leadersOf(slots) {
      const found = new Map<number, Validator>();
      for (const slot of slots) {
        const validator = leaderAt(slot);
        if (validator !== undefined) found.set(slot, validator);
      }
      const older = slots.filter((slot) => !found.has(slot));
      if (older.length > 0) for (const [slot, each] of await store.leadersOf(older)) found.set(slot, each);
      return found;
    },
    get changes() {
      return kept.changes;
    },
    get figures() {
      return report.figures;
    },
    alarms: () => report.alarms(),
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
