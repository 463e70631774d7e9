import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Logger } from '../kernel/log.ts';
import { EMBEDDED_FOLDER } from '../store/clickhouse/store.ts';
import { CommandMisuse } from './command.ts';

type FolderConfig = Pick<Config, 'dataDir' | 'source' | 'sourceNamed' | 'dataDirNamed'>;

/** Folder of the simulator's store in the default data folder, so that a real chain's can be beside it. */
const SIMULATED_FOLDER = 'simulated';

/** Folder of the store of the configured source: the data folder, but for a simulated chain in a data folder that nobody chose. */
export function storeFolder(config: FolderConfig): string {
  return config.source === 'simulator' ? simulatedFolder(config) : config.dataDir;
}

/** Folder of the store of a real chain, for what reads from a node whatever the source is. */
export function chainFolder({ dataDir }: FolderConfig): string {
  return dataDir;
}

/**
 * Folder of the store that is there, for what needs no source: the one that the
 * configuration names, else the one that exists. Throws CommandMisuse where that leaves two.
 */
export function existingStoreFolder(config: FolderConfig): string {
  const simulated = simulatedFolder(config);
  if (config.sourceNamed || simulated === config.dataDir || !hasStore(config.dataDir)) return storeFolder(config);
  if (!hasStore(simulated)) return config.dataDir;
  throw new CommandMisuse(
    `there is a store in ${config.dataDir} and one of the simulated chain in ${simulated}: ` +
      'say which is meant, by MINTSCOPE_SOURCE as the service has it or by MINTSCOPE_DATA_DIR',
  );
}

/** Before it had a folder of its own, the simulator's store was in the data folder. It is left as it is. */
export function tellOfStoreBefore(config: FolderConfig, log: Logger): void {
  const folder = storeFolder(config);
  if (folder === config.dataDir || !hasStore(config.dataDir) || hasStore(folder)) return;
  log.warn(
    { folder, left: config.dataDir },
    `the simulated chain has a folder of its own, ${folder}, and begins anew there. ${config.dataDir} holds a store, which stays as it is: ` +
      `if it is simulated too, move clickhouse and outbox from there to ${folder}, or delete them before a real chain comes`,
  );
}

function simulatedFolder({ dataDir, dataDirNamed }: FolderConfig): string {
  return dataDirNamed ? dataDir : join(dataDir, SIMULATED_FOLDER);
}

/** An outbox alone is one too: of a server of your own. */
function hasStore(folder: string): boolean {
  return [EMBEDDED_FOLDER, 'outbox'].some((name) => existsSync(join(folder, name)));
}
