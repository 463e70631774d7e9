import type { Address } from '../chain/address.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import { TOKEN_METADATA, type TokenMetadataRow } from '../store/clickhouse/schema/background-tables.ts';
import { appendRows } from '../store/clickhouse/write/append-rows.ts';

/** Rows learnt of documents, on their way into the store. */
export interface MetadataRecord {
  note(row: TokenMetadataRow): void;
  /** Writes until the signal aborts, and then what is left. */
  run(signal: AbortSignal): Promise<void>;
}

export interface MetadataRecordDeps {
  readonly client: StoreClient;
  readonly clock: Clock;
  readonly log: Logger;
  /** Told of mints whose documents the store now has. */
  readonly learnt: (mints: readonly Address[]) => void;
}

/** Rows of so long are written at once, so that the store does not get a part for each. */
const WRITE_EVERY_MS = 500;
/** Rows that may wait while the store fails. The oldest are let go: they are asked for again. */
const MAX_WAITING = 2_000;

export function createMetadataRecord({ client, clock, log, learnt }: MetadataRecordDeps): MetadataRecord {
  let waiting: TokenMetadataRow[] = [];

  async function write(): Promise<void> {
    const rows = waiting;
    if (rows.length === 0) return;
    waiting = [];
    try {
      await appendRows(client, TOKEN_METADATA, rows);
    } catch (error) {
      waiting = [...rows, ...waiting].slice(-MAX_WAITING);
      log.warn({ err: String(error), rows: waiting.length }, 'metadata of tokens could not be stored; tried again');
      return;
    }
    const mints = rows.flatMap(({ mint, state }) => (state === 'stored' ? [mint] : []));
    if (mints.length > 0) learnt(mints);
  }

  return {
    note(row) {
      waiting.push(row);
      if (waiting.length > MAX_WAITING) waiting.shift();
    },
    async run(signal) {
      while (!signal.aborted) {
        await clock.sleep(WRITE_EVERY_MS, signal);
        await write();
      }
      await write();
    },
  };
}
