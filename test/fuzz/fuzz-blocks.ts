import type { Kysely } from 'kysely';
import { systemClock } from '../../src/kernel/clock.ts';
import { createRandom } from '../../src/simulator/random.ts';
import type { AccountsSchema } from '../../src/store/accounts-db/schema.ts';
import { type Actors, readAccountRows, rowsDifference } from './account-rows.ts';
import type { Caller } from './caller.ts';
import type { Cast } from './cast.ts';
import type { FuzzClient } from './fuzz-client.ts';
import type { FuzzOptions } from './fuzz-run.ts';
import type { FuzzedService } from './fuzzed-service.ts';
import { createOwnerLife, type OwnerLife } from './owner-life.ts';
import { makeRequest } from './request-maker.ts';
import type { SecretSearch } from './secret-search.ts';
import type { SeenValues } from './seen-values.ts';
import type { World } from './world.ts';

export interface BlockTools {
  readonly world: World;
  readonly cast: Cast;
  readonly service: FuzzedService;
  readonly client: FuzzClient;
  readonly secrets: SecretSearch;
  readonly seen: SeenValues;
  readonly db: Kysely<AccountsSchema>;
}

export interface BlocksOutcome {
  readonly count: number;
  readonly faults: readonly string[];
  readonly ownersChanges: number;
  /** After each block. */
  readonly residentMiB: readonly number[];
}

/** Requests of a block: between blocks the rows of accounts are compared, and owners read their lists. */
const BLOCK = 1_000;
const AT_ONCE = 16;
/** Of the owners: these only keep their lists. The others ask whatever comes. */
const KEEPERS = 3;
const DEEDS_PER_BLOCK = 25;
/** Of the requests in a block that changes nothing of others: what the owners who attack ask, with their own keys. */
const ATTACKERS_SHARE = 0.3;

/**
 * Block after block. In every other one nobody may change anything that is not
 * theirs, and the rows of all others are the same afterwards; in those between,
 * owners keep lists of their own while everybody asks everything.
 */
export async function runBlocks(options: FuzzOptions, tools: BlockTools): Promise<BlocksOutcome> {
  const { world, cast, service, db } = tools;
  const deadline = systemClock.elapsed() + options.seconds * 1_000;
  const keeperIds = new Set(world.owners.slice(0, KEEPERS).map(({ id }) => id));
  const isKeeper = ({ account, kind }: Caller) =>
    account !== undefined && keeperIds.has(account.id) && kind !== 'foreign-page';
  const free = cast.entitled.filter((caller) => !isKeeper(caller));
  const attackers = free.filter(({ kind }) => kind === 'owner-key' || kind === 'session');
  // Whoever has no credits may still keep lists.
  const actors = actorsOf([...free, ...cast.unauthorised.filter(({ kind }) => kind === 'exhausted')]);
  const lives = startLives(options.seed, tools, isKeeper);
  const faults: string[] = [];
  const residentMiB: number[] = [];
  const progress = { next: 0 };
  let count = 0;
  while (progress.next < options.requests && systemClock.elapsed() < deadline && service.exitCode() === undefined) {
    if (count % 2 === 0) {
      const before = await readAccountRows(db, actors);
      await ask(options, tools.client, tools.seen, progress, (random) =>
        random.chance(ATTACKERS_SHARE) ? attackers : cast.unauthorised,
      );
      const difference = rowsDifference(before, await readAccountRows(db, actors));
      if (difference !== undefined) faults.push(`without authority, before request ${progress.next}: ${difference}`);
    } else {
      const everybody = [...free, ...cast.unauthorised];
      await Promise.all([
        ask(options, tools.client, tools.seen, progress, () => everybody),
        ...lives.map((life) => life.act(DEEDS_PER_BLOCK)),
      ]);
      for (const life of lives) await life.check();
    }
    count += 1;
    const resident = service.residentMiB();
    if (resident !== undefined) residentMiB.push(resident);
    options.onBlock(progress.next, resident);
  }
  faults.push(...lives.flatMap((life) => life.faults));
  return { count, faults, ownersChanges: lives.reduce((sum, { changes }) => sum + changes, 0), residentMiB };
}

async function ask(
  { seed, requests }: FuzzOptions,
  client: FuzzClient,
  { material }: SeenValues,
  progress: { next: number },
  callersFor: (random: ReturnType<typeof createRandom>) => readonly Caller[],
): Promise<void> {
  const end = Math.min(progress.next + BLOCK, requests);
  const work = async (): Promise<void> => {
    while (progress.next < end) {
      const index = progress.next;
      progress.next += 1;
      const random = createRandom(`${seed}/${index}`);
      await client.ask(makeRequest(index, random.pick(callersFor(random)), material, random));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

function startLives(seed: string, tools: BlockTools, isKeeper: (caller: Caller) => boolean): readonly OwnerLife[] {
  const { world, cast, client, secrets, seen } = tools;
  const lives: OwnerLife[] = [];
  for (const [at, account] of world.owners.slice(0, KEEPERS).entries()) {
    lives.push(
      createOwnerLife({
        seed: `${seed}/owner ${at}`,
        callers: cast.entitled.filter((caller) => isKeeper(caller) && caller.account === account),
        client,
        secrets,
        wallets: seen.material.wallets.slice(0, 60),
        foreignKeys: () => lives.filter((_life, other) => other !== at).flatMap(({ keyIds }) => keyIds),
        foreignStreams: () => lives.filter((_life, other) => other !== at).flatMap(({ streamIds }) => streamIds),
      }),
    );
  }
  return lives;
}

function actorsOf(callers: readonly Caller[]): Actors {
  const accounts = callers.flatMap(({ account }) => (account === undefined ? [] : [account]));
  return {
    accountIds: new Set(accounts.map(({ id }) => id)),
    wallets: new Set(accounts.flatMap(({ wallet }) => (wallet === undefined ? [] : [wallet.address]))),
  };
}
