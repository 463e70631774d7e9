import type { Config } from '../config.ts';
import { systemClock } from '../kernel/clock.ts';
import { createLogger } from '../kernel/log.ts';
import { openStore } from '../store/clickhouse/store.ts';
import { verifyStore } from '../store/clickhouse/verify/verify.ts';
import { type Command, readWords } from './command.ts';
import { existingStoreFolder } from './store-folder.ts';

const usage = `usage: mintscope verify

Folds every swap of the store again and compares: positions with the fold in order, candles and rollups with their facts. Counts slots that are stored twice.
Prints one line of JSON; exits 1 when something differs. The service must not run on the same data folder.
`;

export const verify: Command = { usage, run };

async function run(config: Config, words: readonly string[]): Promise<void> {
  readWords(words, {});
  const clock = systemClock;
  const log = createLogger(config.logLevel);
  // Without times to live: whoever looks at a store does not change for how long it keeps what.
  const { clickhouseUrl: url, clickhouseCaFile: caFile } = config;
  const dataDir = existingStoreFolder(config);
  const store = await openStore({ url, caFile, dataDir, log, clock });
  try {
    const report = await verifyStore(store);
    process.stdout.write(`${JSON.stringify(report)}\n`);
    if (report.mismatches.length > 0) process.exitCode = 1;
  } finally {
    await store.close();
  }
}
