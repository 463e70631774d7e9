import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/kernel/clock.ts';
import { createRandom, type Random } from '../../src/simulator/random.ts';
import { type AccountsDatabase, openAccountsDatabase } from '../../src/store/accounts-db/accounts-db.ts';
import { type Actors, readAccountRows, rowsDifference } from './account-rows.ts';
import type { Caller } from './caller.ts';
import { assembleCast, type Cast } from './cast.ts';
import { createFuzzClient, type FuzzClient, type FuzzFigures } from './fuzz-client.ts';
import { type FuzzedService, startFuzzedService } from './fuzzed-service.ts';
import { makeRequest } from './request-maker.ts';
import { createSecretSearch } from './secret-search.ts';
import { createSeenValues, type SeenValues } from './seen-values.ts';
import { askUnfinished } from './unfinished.ts';
import { createWire, type Wire } from './wire.ts';
import { createWorld, type World, type WorldAccount } from './world.ts';

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
  readonly secrets: number;
  readonly outputBytes: number;
  readonly residentMiB: { readonly settled: number; readonly end: number } | undefined;
  readonly ms: number;
}

/** Requests of a block: between blocks the rows of accounts are compared. */
const BLOCK = 1_000;
const AT_ONCE = 32;
const TOKENS_AT_START = 20;
const TOKENS_TIMEOUT_MS = 60_000;
/** Of the blocks: the service has settled, and what it takes from then on stays taken. */
const SETTLED_SHARE = 0.4;
const MAX_GROWTH_MIB = 200;

/** Starts the service on accounts of every kind, asks it everything, stops it, and looks at what is left. */
export async function runFuzz(options: FuzzOptions): Promise<FuzzOutcome> {
  const startedAt = systemClock.elapsed();
  const dataDir = await mkdtemp(join(tmpdir(), 'mintscope-fuzz-'));
  const random = createRandom(`fuzz/${options.seed}`);
  try {
    const world = await createWorld(dataDir, random);
    const service = await startFuzzedService(serviceSettings(dataDir));
    const accounts = await openAccountsDatabase({
      url: undefined,
      path: join(dataDir, 'accounts.db'),
      clock: systemClock,
    });
    try {
      const run = new FuzzRun(options, { random, world, service, accounts });
      return { ...(await run.toEnd()), ms: systemClock.elapsed() - startedAt };
    } finally {
      await accounts.close();
      if (service.exitCode() === undefined) await service.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
  }
}

function serviceSettings(dataDir: string): Readonly<Record<string, string>> {
  return {
    MINTSCOPE_DATA_DIR: dataDir,
    MINTSCOPE_SOURCE: 'simulator',
    MINTSCOPE_ENFORCE: 'true',
    MINTSCOPE_LOG_LEVEL: 'debug',
    MINTSCOPE_METADATA: 'false',
    MINTSCOPE_BOOK_MEMORY: '64M',
  };
}

interface Surroundings {
  readonly random: Random;
  readonly world: World;
  readonly service: FuzzedService;
  readonly accounts: AccountsDatabase;
}

class FuzzRun {
  readonly #options: FuzzOptions;
  readonly #around: Surroundings;
  readonly #wire: Wire;
  readonly #seen: SeenValues;
  readonly #secrets = createSecretSearch();
  readonly #client: FuzzClient;
  readonly #faults: string[] = [];
  readonly #residentMiB: number[] = [];
  #next = 0;
  #blocks = 0;

  constructor(options: FuzzOptions, around: Surroundings) {
    this.#options = options;
    this.#around = around;
    const accounts = allAccounts(around.world);
    const wallets = accounts.flatMap(({ wallet }) => (wallet === undefined ? [] : [wallet.address]));
    const keyIds = accounts.flatMap(({ keys }) => keys.map(({ id }) => String(id)));
    this.#seen = createSeenValues(wallets, keyIds);
    for (const { id, keys } of accounts) {
      for (const { text } of keys)
        this.#secrets.add({ name: `key of account ${id}`, text, shown: KEY_PREFIX, owner: id });
    }
    this.#wire = createWire(around.service.port);
    this.#client = createFuzzClient({ wire: this.#wire, seen: this.#seen, secrets: this.#secrets });
  }

  async toEnd(): Promise<Omit<FuzzOutcome, 'ms'>> {
    const { service, world } = this.#around;
    const { requests, seconds, onBlock } = this.#options;
    const deadline = systemClock.elapsed() + seconds * 1_000;
    await this.#untilTokens();
    const unfinished = askUnfinished(service.port);
    const cast = assembleCast(world, { owners: new Map(), ended: [], pages: [] }, this.#around.random);
    while (this.#next < requests && systemClock.elapsed() < deadline && service.exitCode() === undefined) {
      const isPeaceful = this.#blocks % 2 === 1;
      await (isPeaceful ? this.#block([...cast.entitled, ...cast.unauthorised]) : this.#unauthorisedBlock(cast));
      this.#blocks += 1;
      const resident = service.residentMiB();
      if (resident !== undefined) this.#residentMiB.push(resident);
      onBlock(this.#next, resident);
    }
    this.#faults.push(...(await unfinished));
    await this.#stop();
    return this.#outcome();
  }

  /** Nothing of anybody's may be different afterwards, but for what the attackers did to their own. */
  async #unauthorisedBlock(cast: Cast): Promise<void> {
    const { db } = this.#around.accounts;
    const before = await readAccountRows(db, NOBODY);
    await this.#block(cast.unauthorised);
    const difference = rowsDifference(before, await readAccountRows(db, NOBODY));
    if (difference !== undefined)
      this.#faults.push(`changed without authority before request ${this.#next}: ${difference}`);
  }

  async #block(callers: readonly Caller[]): Promise<void> {
    const end = Math.min(this.#next + BLOCK, this.#options.requests);
    const work = async (): Promise<void> => {
      while (this.#next < end) {
        const index = this.#next;
        this.#next += 1;
        const random = createRandom(`${this.#options.seed}/${index}`);
        await this.#client.ask(makeRequest(index, random.pick(callers), this.#seen.material, random));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }

  async #untilTokens(): Promise<void> {
    const [key] = this.#around.world.payers[0]?.keys ?? [];
    const bytes = Buffer.from(`GET /api/tokens?limit=100 HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key?.text}\r\n\r\n`);
    const deadline = systemClock.elapsed() + TOKENS_TIMEOUT_MS;
    while (this.#seen.material.mints.length < TOKENS_AT_START) {
      if (systemClock.elapsed() > deadline) throw new Error('no tokens in time');
      await systemClock.sleep(LOOK_AGAIN_MS);
      this.#seen.take(await this.#wire.send('127.0.0.1', bytes, { isHead: false, alone: false, timeoutMs: 10_000 }));
    }
  }

  async #stop(): Promise<void> {
    const { service } = this.#around;
    this.#wire.close();
    const code = service.exitCode() ?? (await service.stop());
    if (code !== 0) this.#faults.push(`the service ended with ${code}`);
    const found = this.#secrets.find(service.output());
    if (found !== undefined) this.#faults.push(`the output shows the ${found.name}: ${found.around}`);
  }

  #outcome(): Omit<FuzzOutcome, 'ms'> {
    const settled = this.#residentMiB[Math.floor(this.#residentMiB.length * SETTLED_SHARE)];
    const end = this.#residentMiB.at(-1);
    const residentMiB = settled === undefined || end === undefined ? undefined : { settled, end };
    if (residentMiB !== undefined && residentMiB.end - residentMiB.settled > MAX_GROWTH_MIB) {
      this.#faults.push(`memory grew from ${residentMiB.settled} to ${residentMiB.end} MiB`);
    }
    return {
      port: this.#around.service.port,
      figures: this.#client.figures,
      faults: this.#faults,
      blocks: this.#blocks,
      secrets: this.#secrets.count,
      outputBytes: this.#around.service.output().length,
      residentMiB,
    };
  }
}

const NOBODY: Actors = { accountIds: new Set(), wallets: new Set() };
/** `ms_live_` and four more characters. */
const KEY_PREFIX = 12;
const LOOK_AGAIN_MS = 200;

function allAccounts({ owners, payers, ...single }: World): readonly WorldAccount[] {
  return [...Object.values(single), ...owners, ...payers];
}
