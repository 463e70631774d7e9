import { parseArgs } from 'node:util';
import type { Config } from '../config.ts';
import { systemClock } from '../kernel/clock.ts';
import { createLogger } from '../kernel/log.ts';
import { openStore } from '../store/clickhouse/store.ts';
import { verifyStore } from '../store/clickhouse/verify.ts';

const USAGE = `usage: mintscope verify

Folds every swap of the store again and compares: positions with the fold in order, candles and rollups with their facts.
Prints one line of JSON; exits 1 when something differs. The service must not run on the same data folder.
`;

export async function verify(config: Config, words: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...words], options: { help: { type: 'boolean', default: false } } });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const clock = systemClock;
  const log = createLogger(config.logLevel);
  const store = await openStore({ url: config.clickhouseUrl, dataDir: config.dataDir, log, clock });
  try {
    const report = await verifyStore(store);
    process.stdout.write(`${JSON.stringify(report)}\n`);
    if (report.mismatches.length > 0) process.exitCode = 1;
  } finally {
    await store.close();
  }
}
