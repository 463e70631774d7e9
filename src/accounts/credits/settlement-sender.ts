import type { PoolDebit } from './metered-pool.ts';
import type { RefusedDebits } from './refused-debits.ts';
import type { PoolResult } from './settlement.ts';
import type { PoolSettlement, SettlementMaker } from './settlement-maker.ts';
import { SettlementRefused } from './write-settlement.ts';

/** Results of the pools of a settlement, in its order. */
export type SettlementResults = readonly (PoolResult | undefined)[];

export interface SettlementSenderOptions {
  readonly settlements: SettlementMaker;
  readonly refused: RefusedDebits;
  readonly write: (settlement: PoolSettlement) => Promise<SettlementResults>;
  /** Told of a settlement that is written, before the next one is sent. */
  readonly written: (settlement: PoolSettlement, results: SettlementResults) => Promise<void>;
}

/** Sends settlements one after the other. Rejects with whatever keeps all of them from being written. */
export interface SettlementSender {
  /** Behind those that are not known to be written. */
  send(settlement: PoolSettlement): Promise<void>;
  /** Sends again, as they were, what is not known to be written. */
  sendUnsure(): Promise<void>;
  /** Sends debits again that the database refused, when their time has come. */
  retryRefused(): Promise<void>;
  /** Debits that were sent, or were about to be, and are not known to be written. */
  readonly unsure: readonly PoolDebit[];
}

/** A settlement that is refused is sent by its pools, so that only the one that is meant waits. */
export function createSettlementSender({
  settlements,
  refused,
  write,
  written,
}: SettlementSenderOptions): SettlementSender {
  const unsure: PoolSettlement[] = [];

  async function send(settlement: PoolSettlement): Promise<void> {
    unsure.push(settlement);
    await sendUnsure();
  }

  async function sendUnsure(): Promise<void> {
    for (let [settlement] = unsure; settlement !== undefined; [settlement] = unsure) {
      try {
        const results = await write(settlement);
        unsure.shift();
        await written(settlement, results);
      } catch (error) {
        if (!(error instanceof SettlementRefused)) throw error;
        unsure.shift();
        if (settlement.items.length === 1) refused.keep(settlement, error);
        else unsure.unshift(...settlements.split(settlement, error));
      }
    }
  }

  return {
    send,
    sendUnsure,
    async retryRefused() {
      for (const { settlement, refusal } of refused.due()) {
        await send(refusal.wasWritten ? settlement : settlements.renumbered(settlement));
        // One at a time as long as it goes well: it may be the database that refuses everything.
        if (settlement.items.some(({ pool }) => refused.refusalOf(pool) !== undefined)) return;
      }
    },
    get unsure() {
      return unsure.flatMap(({ items }) => items);
    },
  };
}
