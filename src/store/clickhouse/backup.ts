import type { Clock } from '../../kernel/clock.ts';
import { readJson, type StoreClient } from './client.ts';
import { StoreError } from './store-error.ts';

/** Bytes and files that were copied. */
export interface CopiedDatabase {
  readonly bytes: number;
  readonly files: number;
}

/** Pause between two looks at a copy under way. */
const LOOK_EVERY_MS = 250;
/** Paths that need no quoting in a statement. */
const PLAIN_PATH = /^[^'\\]+$/;

/** Copies a whole database into a folder that must not exist. Nothing may be writing meanwhile, or its tables are of different moments. */
export function backupDatabase(
  client: StoreClient,
  copy: { readonly database: string; readonly folder: string },
  clock: Clock,
): Promise<CopiedDatabase> {
  return run(client, `BACKUP DATABASE ${copy.database} TO ${fileOf(copy.folder)}`, clock);
}

/** The way back. The database must not exist. */
export function restoreDatabase(
  client: StoreClient,
  copy: { readonly database: string; readonly folder: string },
  clock: Clock,
): Promise<CopiedDatabase> {
  return run(client, `RESTORE DATABASE ${copy.database} FROM ${fileOf(copy.folder)}`, clock);
}

function fileOf(folder: string): string {
  if (!PLAIN_PATH.test(folder)) throw new StoreError('backup_failed', `${folder}: a path without ' and \\ is needed`);
  return `File('${folder}')`;
}

interface Progress {
  readonly status: string;
  readonly error: string;
  readonly bytes: string;
  readonly files: string;
}

/** In the background of the server, because no request lasts as long as a large copy takes. */
async function run(client: StoreClient, statement: string, clock: Clock): Promise<CopiedDatabase> {
  const [{ id } = { id: '' }] = await readJson<{ id: string }>(client, `${statement} ASYNC`);
  for (;;) {
    const [progress] = await readJson<Progress>(
      client,
      'SELECT status, error, total_size AS bytes, num_files AS files FROM system.backups WHERE id = {id:String}',
      { id },
    );
    if (progress === undefined) throw new StoreError('backup_failed', `the server has lost the copy ${id}`);
    if (/_(FAILED|CANCELLED)$/.test(progress.status)) throw new StoreError('backup_failed', progress.error);
    if (progress.status === 'BACKUP_CREATED' || progress.status === 'RESTORED') {
      return { bytes: Number(progress.bytes), files: Number(progress.files) };
    }
    await clock.sleep(LOOK_EVERY_MS);
  }
}
