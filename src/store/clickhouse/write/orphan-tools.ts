import type { Logger } from '../../../kernel/log.ts';
import { runStatement, type StoreClient } from '../client.ts';
import type { SlotIndex } from './slot-index.ts';
import { FENCED_INSERT_SECONDS, type WriterFence } from './writer-fence.ts';

/** Everything that taking out what a writer left half done needs. */
export interface OrphanTools {
  readonly client: StoreClient;
  readonly slotIndex: SlotIndex;
  /** Asked before every change. Rejects when another writer has taken over. */
  readonly untilHeld: () => Promise<void>;
  /** Of our lease; undefined where nobody else can write. */
  readonly fence?: WriterFence | undefined;
  /** The writer before us was another host's and did not let go: what it had begun of single transactions is unknown. */
  readonly isAfterLoss?: boolean;
  readonly log: Logger;
}

/** Seconds that a start waits for one insert where nobody else can write. */
const ALONE_SECONDS = 60;

/** Inserts what a SELECT gives, which is none that a flush might send again. Rejects when it takes the server too long. */
export async function insertSelected({ client, untilHeld, fence }: OrphanTools, insert: string): Promise<void> {
  const run = (query: string, max_execution_time: number) =>
    runStatement(client, query, { insert_deduplicate: 0, max_execution_time });
  await untilHeld();
  if (fence === undefined) await run(insert, ALONE_SECONDS);
  else await fence.within((clause) => run(`${insert}\n${clause}`, FENCED_INSERT_SECONDS));
}
