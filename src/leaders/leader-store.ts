import type { StoreClient } from '../store/clickhouse/client.ts';
import { EPOCH_LEADERS, EPOCH_VALIDATORS, LEADER_TURNS } from '../store/clickhouse/schema/leader-tables.ts';
import { appendRows } from '../store/clickhouse/write/append-rows.ts';
import type { Validator } from './epoch-schedule.ts';
import { createLeaderReads, type LeaderReads } from './leader-reads.ts';
import { type StoredEpoch, scheduleRows, scheduleSum } from './turn-rows.ts';
import { toValidatorRow } from './validator-rows.ts';

/** Schedules and validators by epoch, kept for ever. Rejects with the store's faults. */
export interface LeaderStore extends LeaderReads {
  /** Writes a schedule unless it is there already; whoever writes it too writes the same. */
  saveSchedule(epoch: StoredEpoch): Promise<void>;
  /** What is known of them in an epoch from now on. */
  saveValidators(epoch: number, validators: readonly Validator[]): Promise<void>;
}

/** `now` gives Unix seconds. */
export function createLeaderStore(client: StoreClient, now: () => number): LeaderStore {
  const reads = createLeaderReads(client);
  return {
    ...reads,
    async saveSchedule({ span, leaders }) {
      const stored = await reads.epochAt(span.firstSlot);
      if (stored?.span.epoch === span.epoch && scheduleSum(stored.leaders) === scheduleSum(leaders)) return;
      const rows = scheduleRows(span, leaders, now());
      // Turns last: whoever finds them finds their leaders.
      await appendRows(client, EPOCH_LEADERS, rows.leaders);
      await appendRows(client, LEADER_TURNS, rows.turns);
    },
    async saveValidators(epoch, validators) {
      const checkedAt = now();
      const rows = validators.map((validator) => toValidatorRow(epoch, validator, checkedAt));
      await appendRows(client, EPOCH_VALIDATORS, rows);
    },
  };
}
