import type { Logger } from '../../../kernel/log.ts';
import type { StoreClient } from '../client.ts';
import type { SlotIndex } from './slot-index.ts';
import type { WriterFence } from './writer-fence.ts';

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
