import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../kernel/clock.ts';
import { createDescriptors } from '../../kernel/descriptors.ts';
import type { Logger } from '../../kernel/log.ts';
import { warnOfOthers } from '../../kernel/private-files.ts';
import { ReadFault } from '../reads/read-fault.ts';
import { type StoreChain, settleChain } from './chain-record.ts';
import {
  createStoreClient,
  DEFAULT_DATABASE,
  readConnection,
  readJson,
  runStatement,
  type StoreClient,
  type StoreConnection,
} from './client.ts';
import type { Coverage } from './coverage.ts';
import { type EmbeddedServer, startEmbeddedServer } from './embedded/embedded-server.ts';
import { assertLayouts, LEASE_MIGRATION, type MigrateOptions, migrate, readMigrations } from './migrations.ts';
import { applyRetention, type Retention } from './retention.ts';
import { StoreError } from './store-error.ts';
import { readStoreId } from './store-id.ts';
import { beginHoldings } from './write/begin-holdings.ts';
import { folderFault, LOCK_FILE, lockDataFolder } from './write/data-lock.ts';
import { openOutbox } from './write/outbox.ts';
import { readSlotIndex } from './write/slot-index.ts';
import { createWriter, type StoreWriter } from './write/writer.ts';
import { createWriterFence, type WriterFence } from './write/writer-fence.ts';
import { type SharedLease, takeWriterLease } from './write/writer-lease.ts';

/** The facts, and everything folded from them. */
export interface Store {
  readonly client: StoreClient;
  readonly writer: StoreWriter;
  /** The way for another thread of this process to make a client of its own. */
  readonly connection: StoreConnection;
  /** Place of the store, for the operator: a folder, or a URL without secrets. */
  readonly place: string;
  /** The lease under which that thread writes; undefined when the folder's lock is enough. */
  readonly lease: SharedLease | undefined;
  /** Of that lease, for what this thread inserts. */
  readonly fence: WriterFence | undefined;
  /** Newest slot the store answers for, 0 while it is empty. */
  readonly committedSlot: number;
  /** The slots that are whole. */
  readonly coverage: Coverage;
  /** Aborts when the store is ours no more: another writer took over, or the embedded server does not start again. */
  readonly lost: AbortSignal;
  /** Lets flushes under way go through, as far as the time allows, and stops the embedded server. */
  close(): Promise<void>;
}

export interface StoreOptions {
  /** Your ClickHouse, credentials and database in the URL. Undefined starts the embedded one. */
  readonly url: string | undefined;
  /** PEM file of the authority behind its certificate; undefined where that is a public one. */
  readonly caFile?: string | undefined;
  /** Holds the outbox, the lock, and the embedded server's data. */
  readonly dataDir: string;
  /** Undefined leaves the tables' times to live as they are. */
  readonly retention?: Retention | undefined;
  /** The chain whose blocks are about to be written; undefined when none are, or when nobody can say yet. */
  readonly chain?: StoreChain | undefined;
  /** A folder that the embedded server may write backups into; undefined when none is made. */
  readonly backupDir?: string | undefined;
  readonly log: Logger;
  readonly clock: Clock;
}

/** Folder of the embedded server in the data folder. */
export const EMBEDDED_FOLDER = 'clickhouse';
/** Time for flushes under way when the store is closed. */
const CLOSE_TIMEOUT_MS = 2_000;
/** Of one statement that goes through a whole table. */
const TABLE_TIMEOUT_MS = 6 * 3_600_000;
/** A name that needs no quoting. */
const DATABASE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Opens the store for writing: ours or yours, migrated, held by us alone, and
 * with everything in it that an earlier run had not finished to send.
 * Throws StoreError, see its codes.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const undo: (() => Promise<unknown>)[] = [];
  try {
    return await open(options, undo);
  } catch (error) {
    for (const step of undo.reverse()) await step().catch(() => {});
    throw folderFault(options.dataDir, error);
  }
}

/** Every step that holds something puts the way back on `undo`. */
async function open(
  { url, caFile, dataDir, retention, chain, backupDir, log, clock }: StoreOptions,
  undo: (() => Promise<unknown>)[],
): Promise<Store> {
  const lock = await lockDataFolder(dataDir);
  undo.push(() => lock.release());
  let server: EmbeddedServer | undefined;
  if (url === undefined) {
    server = await startEmbeddedServer({ dir: join(dataDir, EMBEDDED_FOLDER), backupDir, log, clock });
    undo.push(server.stop);
  }
  const connection =
    server === undefined
      ? await readOurConnection(url ?? '', caFile)
      : { ...server.connection, database: DEFAULT_DATABASE };
  // Asking an empty engine of ours for it would only be an error in its log.
  if (server === undefined) await provideDatabase(connection);
  else await createDatabase(connection);
  await assertCountedAnswers(connection);
  const client = createStoreClient(connection);
  undo.push(() => client.close());
  await migrateDatabase(connection, log, server === undefined ? { last: LEASE_MIGRATION } : {});
  const descriptors = createDescriptors({ clock, log });
  const outbox = await openOutbox(join(dataDir, 'outbox'), { descriptors });
  // Nobody else knows the embedded server's password; the folder's lock is its lease.
  const lease =
    server === undefined
      ? await takeWriterLease({ client, clock, log, outbox: await outbox.provideName() })
      : undefined;
  const isAfterLoss = lease?.term.isAfterLoss === true;
  if (lease !== undefined) {
    undo.push(() => lease.release());
    // A script that failed may still run on the server: the next writer waits as for one that is gone. Behind a loss that
    // holds until the store is put right, or the next start would not know of it any more.
    lease.began();
    // What a writer of an older version adds to a table is missing from what a script copies of it meanwhile.
    await migrateDatabase(connection, log, { assertLease: lease.assertHeld });
  }
  await assertLayouts(client);
  if (!isAfterLoss) lease?.ended();
  // Before anything is let go or written: what is configured may be meant for another store.
  const place = storePlace(connection, server === undefined ? undefined : dataDir);
  const isAwaited = outbox.leftovers.length > 0;
  if (chain !== undefined) await settleChain(client, chain, { log, place, isAwaited });
  if (retention !== undefined) await applyRetention(client, retention, log);
  await warnOfOthers(privatePlaces(dataDir), log);
  const patientClient = createStoreClient(connection, { requestTimeoutMs: TABLE_TIMEOUT_MS });
  undo.push(() => patientClient.close());
  const term = lease?.term;
  const fence =
    term === undefined ? undefined : createWriterFence(client, term, { assertHeld: () => lease?.assertHeld() });
  const slotIndex = await readSlotIndex(client, fence);
  const storeId = await readStoreId(client);
  const assertLease = () => lease?.assertHeld();
  const how = { assertLease, term, fence, underWay: lease, storeId, patientClient };
  const writer = createWriter({ client, outbox, slotIndex, ...how, log, clock });
  await writer.recover();
  await beginHoldings(client, fence);
  if (isAfterLoss) lease?.ended();
  undo.push(() => writer.close(CLOSE_TIMEOUT_MS));

  let closing: Promise<void> | undefined;
  return {
    client,
    writer,
    connection,
    place,
    lease: lease?.shared,
    fence,
    lost: server?.lost ?? lease?.lost ?? new AbortController().signal,
    get committedSlot() {
      return slotIndex.committedSlot;
    },
    get coverage() {
      return slotIndex.coverage;
    },
    close() {
      closing ??= closeAll(undo, log);
      return closing;
    },
  };
}

/** Place of a store, for the operator. Its URL is without user and password. */
function storePlace({ url, database }: StoreConnection, embeddedIn: string | undefined): string {
  return embeddedIn === undefined ? `database ${database} of ${url}` : join(embeddedIn, EMBEDDED_FOLDER);
}

/** Files and folders that opening the store closes to other users, on systems that can do so. */
function privatePlaces(dataDir: string): readonly string[] {
  const engine = join(dataDir, EMBEDDED_FOLDER);
  const inEngine = ['config.xml', 'users.xml', 'data'].map((name) => join(engine, name));
  return [join(dataDir, LOCK_FILE), join(dataDir, 'outbox'), engine, ...inEngine];
}

/** A migration may build a table anew out of all its rows. */
async function migrateDatabase(connection: StoreConnection, log: Logger, options: MigrateOptions): Promise<void> {
  const patient = createStoreClient(connection, { requestTimeoutMs: TABLE_TIMEOUT_MS });
  try {
    await migrate(patient, readMigrations(), log, options);
  } finally {
    await patient.close();
  }
}

async function closeAll(undo: readonly (() => Promise<unknown>)[], log: Logger): Promise<void> {
  for (const step of undo.toReversed()) {
    await step().catch((error: unknown) => log.warn({ err: String(error) }, 'a part of the store did not close'));
  }
}

/** Answers whose rows nobody counts cannot be told from those that lost them, so that such a way to a server is refused at once. */
async function assertCountedAnswers(connection: StoreConnection): Promise<void> {
  const client = createStoreClient(connection);
  try {
    await readJson(client, 'SELECT 1');
  } catch (error) {
    if (!(error instanceof ReadFault && error.code === 'incomplete')) throw error;
    throw new StoreError(
      'server_unusable',
      `the ClickHouse at ${connection.url} answers without its header X-ClickHouse-Summary, or with a wrong result_rows in it: let what stands in front of it hand the header on`,
      { cause: error },
    );
  } finally {
    await client.close();
  }
}

async function readOurConnection(url: string, caFile: string | undefined): Promise<StoreConnection> {
  const connection = readConnection(url);
  if (caFile === undefined) return connection;
  try {
    return { ...connection, authority: await readFile(caFile, 'utf8') };
  } catch (error) {
    throw new StoreError('server_unusable', `CLICKHOUSE_CA_FILE cannot be read: ${reasonOf(error)}`, { cause: error });
  }
}

function createDatabase({ database, ...server }: StoreConnection): Promise<void> {
  return runOn({ ...server, database: 'default' }, createStatement(database));
}

function createStatement(database: string): string {
  return `CREATE DATABASE IF NOT EXISTS ${database}`;
}

/** Makes the database where it is not there: a user who may not make one is given one. */
async function provideDatabase(connection: StoreConnection): Promise<void> {
  const { database, url } = connection;
  if (!DATABASE_NAME.test(database)) throw new StoreError('server_unusable', `${database} is no name for a database`);
  try {
    if (!(await hasDatabase(connection))) await createDatabase(connection);
  } catch (error) {
    const reason = reasonOf(error);
    const remedy = isDenied(error)
      ? `. Run there as an administrator: ${createStatement(database)}, and the GRANTs of docs/storage.md`
      : '';
    throw new StoreError('server_unusable', `the ClickHouse at ${url} cannot be used: ${reason}${remedy}`, {
      cause: error,
    });
  }
}

/** A question in the database, which needs no right besides one to it. */
async function hasDatabase(connection: StoreConnection): Promise<boolean> {
  try {
    await runOn(connection, 'SELECT 1');
    return true;
  } catch (error) {
    if (codeOf(error) === UNKNOWN_DATABASE) return false;
    throw error;
  }
}

async function runOn(connection: StoreConnection, statement: string): Promise<void> {
  const client = createStoreClient(connection);
  try {
    await runStatement(client, statement);
  } finally {
    await client.close();
  }
}

/** The server's own codes. */
const UNKNOWN_DATABASE = '81';
const ACCESS_DENIED = '497';

function isDenied(error: unknown): boolean {
  return codeOf(error) === ACCESS_DENIED;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
