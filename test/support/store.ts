import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/kernel/clock.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { openStore, type Store } from '../../src/store/clickhouse/store.ts';

/** A real store in a folder of its own, which goes away with it. */
export interface TestStore {
  readonly store: Store;
  readonly dataDir: string;
  close(): Promise<void>;
}

export async function openTestStore(): Promise<TestStore> {
  const dataDir = await mkdtemp(join(tmpdir(), 'mintscope-store-'));
  const store = await openStore({ url: undefined, dataDir, log: silentLogger, clock: systemClock });
  return {
    store,
    dataDir,
    async close() {
      await store.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
