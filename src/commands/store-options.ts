import type { Config } from '../config.ts';
import { type Retention, readRetention } from '../store/clickhouse/retention.ts';
import { CommandMisuse } from './command.ts';
import { storeFolder } from './store-folder.ts';

/** Options of the store that the configuration names, with the days that it keeps facts. */
export function storeOptions(config: Config): {
  readonly url: string | undefined;
  readonly caFile: string | undefined;
  readonly dataDir: string;
  readonly retention: Retention | undefined;
} {
  const { clickhouseUrl: url, clickhouseCaFile: caFile } = config;
  return { url, caFile, dataDir: storeFolder(config), retention: retentionOf(config) };
}

/** A chain that is played again is of any age: days that count from today would let go of it at once. */
function retentionOf({ source, retention }: Config): Retention | undefined {
  if (source !== 'rpc' && source !== 'yellowstone') return undefined;
  try {
    return readRetention(retention);
  } catch (error) {
    throw new CommandMisuse(`MINTSCOPE_RETENTION: ${error instanceof Error ? error.message : String(error)}`);
  }
}
