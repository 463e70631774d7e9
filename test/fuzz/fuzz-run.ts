import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPageSecret } from '../../src/accounts/sessions/page-sessions.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { createRandom } from '../../src/simulator/random.ts';
import { type AccountsDatabase, openAccountsDatabase } from '../../src/store/accounts-db/accounts-db.ts';
import { SECRETS_KEY_FILE } from '../../src/store/accounts-db/secrets-key.ts';
import { bytesOfDatabase } from '../support/file-bytes.ts';
import { assembleCast, keyCaller } from './cast.ts';
import { allAccounts, readCreditRows } from './credit-rows.ts';
import { startEarlyLeavers } from './early-leavers.ts';
import { runBlocks } from './fuzz-blocks.ts';
import { createFuzzClient, type FuzzClient, type FuzzFigures } from './fuzz-client.ts';
import { type FuzzedService, startFuzzedService } from './fuzzed-service.ts';
import { METRICS_TOKEN } from './outside-paths.ts';
import { plainRequest } from './plain-request.ts';
import { createSecretSearch, type SecretSearch } from './secret-search.ts';
import { createSeenValues, type SeenValues } from './seen-values.ts';
import { openSessions } from './sessions.ts';
import { pressSockets } from './silent-clients.ts';
import { askUnfinished } from './unfinished.ts';
import { createWire } from './wire.ts';
import { createWorld, type World } from './world.ts';

export interface FuzzOptions {
  readonly seed: string;
  readonly requests: number;
  /** Begins no block after so many. */
  readonly seconds: number;
  readonly onBlock: (done: number, residentMiB: number | undefined) => void;
}

export interface FuzzOutcome {
  readonly port: number;
  readonly figures: FuzzFigures;
  /** Beside the answers: what the run as a whole shows to be wrong. */
  readonly faults: readonly string[];
  readonly blocks: number;
  /** Things that owners did with their own lists, each as it should be. */
  readonly ownersChanges: number;
  readonly creditsCharged: number;
  readonly secrets: number;
  readonly outputBytes: number;
  readonly residentMiB: { readonly settled: number; readonly end: number } | undefined;
  readonly ms: number;
}

const TOKENS_AT_START = 20;
const TOKENS_TIMEOUT_MS = 60_000;
const LOOK_AGAIN_MS = 200;
/** `ms_live_` and four more characters. */
const KEY_PREFIX = 12;
/** Of the blocks: the service has settled, and what it takes from then on stays taken. */
const SETTLED_SHARE = 0.4;
const MAX_GROWTH_MIB = 250;
const MAX_TIMEOUTS_SHARE = 0.01;

/** Starts the service on accounts of every kind, asks it everything, stops it, and looks at what is left. */
export async function runFuzz(options: FuzzOptions): Promise<FuzzOutcome> {
  const startedAt = systemClock.elapsed();
  const dataDir = await mkdtemp(join(tmpdir(), 'mintscope-fuzz-'));
  try {
    const world = await createWorld(dataDir, createRandom(`world/${options.seed}`));
    const service = await startFuzzedService({ ...SETTINGS, MINTSCOPE_DATA_DIR: dataDir });
    try {
      const outcome = await fuzzService(options, world, service, dataDir);
      return { ...outcome, ms: systemClock.elapsed() - startedAt };
    } finally {
      if (service.exitCode() === undefined) await service.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Secrets of the operator. Nobody listens at the node's address, so that every call of it fails and is told. */
const OPERATORS = {
  developmentKey: 'development-of-the-run',
  rpcToken: 'token-of-the-node-0123456789',
  metricsToken: METRICS_TOKEN,
};
const SETTINGS: Readonly<Record<string, string>> = {
  // A small heap: objects that are kept for ever do not fit for long.
  NODE_OPTIONS: '--max-old-space-size=256',
  MINTSCOPE_SOURCE: 'simulator',
  MINTSCOPE_ENFORCE: 'true',
  MINTSCOPE_LOG_LEVEL: 'debug',
  MINTSCOPE_METADATA: 'false',
  MINTSCOPE_BOOK_MEMORY: '64M',
  MINTSCOPE_DEV_KEY: OPERATORS.developmentKey,
  MINTSCOPE_METRICS_TOKEN: OPERATORS.metricsToken,
  SOLANA_RPC_URL: `http://node:${OPERATORS.rpcToken}@127.0.0.1:9/?api-key=${OPERATORS.rpcToken}`,
};

async function fuzzService(
  options: FuzzOptions,
  world: World,
  service: FuzzedService,
  dataDir: string,
): Promise<Omit<FuzzOutcome, 'ms'>> {
  const secrets = createSecretSearch();
  const everybody = allAccounts(world);
  for (const { id, keys } of everybody) {
    for (const { text } of keys) secrets.add({ name: `key of account ${id}`, text, shown: KEY_PREFIX, owner: id });
  }
  for (const [name, text] of Object.entries(OPERATORS)) secrets.add({ name, text });
  const wallets = everybody.flatMap(({ wallet }) => (wallet === undefined ? [] : [wallet.address]));
  const keyIds = everybody.flatMap(({ keys }) => keys.map(({ id }) => String(id)));
  const seen = createSeenValues(wallets, keyIds);
  const wire = createWire(service.port);
  const client = createFuzzClient({ wire, seen, secrets });
  await untilTokens(world, seen, client);
  const unfinished = askUnfinished(service.port);
  const sessions = await openSessions(world, { wire, secrets });
  const accounts = await openAccountsDatabase({
    url: undefined,
    path: join(dataDir, 'accounts.db'),
    key: { setting: undefined, file: join(dataDir, SECRETS_KEY_FILE), mayMake: true },
    clock: systemClock,
  });
  try {
    await addSealing(accounts, join(dataDir, SECRETS_KEY_FILE), secrets);
    const cast = assembleCast(world, sessions, createRandom(`cast/${options.seed}`));
    const random = createRandom(`early leavers/${options.seed}`);
    const leavers = startEarlyLeavers(service.port, sessions, seen.material.mints, random);
    const blocks = await runBlocks(options, { world, cast, service, client, secrets, seen, db: accounts.db });
    const faults = [...blocks.faults, ...(await unfinished), ...(await leavers.settle())];
    wire.close();
    faults.push(...(await pressSockets(service.port)));
    faults.push(
      ...(await stop(service, secrets)),
      ...memoryFaults(blocks.residentMiB),
      ...timeoutFaults(client.figures),
    );
    faults.push(...databaseFaults(dataDir, secrets));
    const credits = await readCreditRows(accounts.db, everybody, client.figures.costs);
    faults.push(...credits.faults);
    return {
      port: service.port,
      figures: client.figures,
      faults,
      blocks: blocks.count,
      ownersChanges: blocks.ownersChanges,
      creditsCharged: credits.charged,
      secrets: secrets.count,
      outputBytes: service.output().length,
      residentMiB: settledMemory(blocks.residentMiB),
    };
  } finally {
    await accounts.close();
  }
}

/**
 * Adds the key that the service seals with, and the secret of page sessions, which it has made by now: as bytes, and as
 * texts of them.
 */
async function addSealing(accounts: AccountsDatabase, keyFile: string, secrets: SecretSearch): Promise<void> {
  const key = Buffer.from((await readFile(keyFile, 'utf8')).trim(), 'base64url');
  const all = { 'key of secrets': key, 'secret of page sessions': await readPageSecret(accounts) };
  for (const [name, bytes] of Object.entries(all)) {
    for (const how of ['base64url', 'hex', 'latin1'] as const) secrets.add({ name, text: bytes.toString(how) });
  }
}

async function untilTokens({ operator }: World, seen: SeenValues, client: FuzzClient): Promise<void> {
  const random = createRandom('tokens');
  const caller = keyCaller('operator', operator);
  const deadline = systemClock.elapsed() + TOKENS_TIMEOUT_MS;
  while (seen.material.mints.length < TOKENS_AT_START) {
    if (systemClock.elapsed() > deadline) throw new Error('no tokens in time');
    await systemClock.sleep(LOOK_AGAIN_MS);
    await client.ask(plainRequest('listTokens', caller, { query: 'limit=100', index: -1 }, random));
  }
}

async function stop(service: FuzzedService, secrets: SecretSearch): Promise<string[]> {
  const code = service.exitCode() ?? (await service.stop());
  const found = secrets.find(service.output());
  return [
    ...(code === 0 ? [] : [`the service ended with ${code}: ${service.output().toString().slice(-1_000)}`]),
    ...(found === undefined ? [] : [`the output shows the ${found.name}: ${found.around}`]),
  ];
}

/** Finds secrets that the database holds as they are: it may hold their hashes and their sealed forms alone. */
function databaseFaults(dataDir: string, secrets: SecretSearch): string[] {
  const found = secrets.find(bytesOfDatabase(join(dataDir, 'accounts.db')), true);
  return found === undefined ? [] : [`the database holds the ${found.name}`];
}

/** A busy machine may let a read time out now and then; a route that always does is no route. */
function timeoutFaults({ byCode, requests }: FuzzFigures): string[] {
  const timeouts = byCode.get('query_timeout') ?? 0;
  return timeouts > MAX_TIMEOUTS_SHARE * requests ? [`${timeouts} reads timed out`] : [];
}

function settledMemory(samples: readonly number[]): FuzzOutcome['residentMiB'] {
  const settled = samples[Math.floor(samples.length * SETTLED_SHARE)];
  const end = samples.at(-1);
  return settled === undefined || end === undefined ? undefined : { settled, end };
}

function memoryFaults(samples: readonly number[]): string[] {
  const { settled, end } = settledMemory(samples) ?? { settled: 0, end: 0 };
  return end - settled > MAX_GROWTH_MIB ? [`memory grew from ${settled} to ${end} MiB`] : [];
}
