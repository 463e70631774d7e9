import { join } from 'node:path';
import { LEASE_SHARE } from '../../../src/accounts/credits/lease-rules.ts';
import { createLedger } from '../../../src/accounts/credits/ledger.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { createRandom } from '../../../src/simulator/random.ts';
import { createCallTally } from './call-tally.ts';
import { type CampaignDatabase, openCampaignDatabase } from './campaign-database.ts';
import { CAMPAIGN_PLANS } from './campaign-plans.ts';
import { asksOf, type OpenedCustomer, openCustomers, type SpendingKey } from './customers.ts';
import { endFaults } from './end-of-run.ts';
import { readLedgerState } from './ledger-state.ts';
import { type Load, type RefusedCall, startLoad } from './load.ts';
import { createNewcomers, type Newcomers } from './newcomers.ts';
import type { CreditsPlan, Round } from './plan.ts';
import { refusalFault } from './refusal.ts';
import { type ClosedBooks, createRoundBooks, type RoundBooks } from './round-books.ts';
import { createServer, type ServerHandle } from './server-handle.ts';
import { causeTrouble } from './trouble.ts';

export interface RoundOutcome extends ClosedBooks {
  readonly round: Round;
  /** Calls that were told 503. */
  readonly heldBack: number;
  readonly kills: number;
}

export interface CreditsOutcome {
  readonly plan: CreditsPlan;
  readonly rounds: readonly RoundOutcome[];
  /** Faults, for people. Empty when every invariant held. */
  readonly faults: readonly string[];
  /** Answers by status. */
  readonly statuses: ReadonlyMap<number, number>;
  readonly ms: number;
}

export interface CreditsOptions {
  readonly plan: CreditsPlan;
  /** Told of every round, once its books are closed. */
  readonly onRound: (outcome: RoundOutcome) => void;
}

/** Plays a plan against real processes, and compares the books after each round. Stops at the first that are wrong. */
export async function runCredits({ plan, onRound }: CreditsOptions): Promise<CreditsOutcome> {
  const startedAt = systemClock.elapsed();
  const scene = await openScene(plan);
  const rounds: RoundOutcome[] = [];
  const faults: string[] = [];
  try {
    for (const round of plan.rounds) {
      const outcome = await playRound(scene, round);
      rounds.push(outcome);
      onRound(outcome);
      faults.push(...outcome.faults);
      if (faults.length > 0) break;
    }
    if (faults.length === 0) faults.push(...heldBackFaults(rounds), ...(await endFaults(scene)));
    return { plan, rounds, faults, statuses: scene.load.statuses, ms: systemClock.elapsed() - startedAt };
  } finally {
    await scene.load.close();
    await scene.close();
  }
}

/** Faults when no process held anything back in any stall: then the stalls tested nothing. */
function heldBackFaults(rounds: readonly RoundOutcome[]): string[] {
  const stalls = rounds.filter(({ round: { trouble } }) => trouble.kind === 'stall' && trouble.kills === undefined);
  if (stalls.length === 0 || stalls.some(({ heldBack }) => heldBack > 0)) return [];
  return [`nobody was told 503 in ${stalls.length} stalls of the database`];
}

export interface Scene {
  readonly plan: CreditsPlan;
  readonly database: CampaignDatabase;
  readonly servers: readonly ServerHandle[];
  readonly customers: readonly OpenedCustomer[];
  readonly keys: readonly SpendingKey[];
  readonly load: Load;
  readonly newcomers: Newcomers;
  readonly books: RoundBooks;
  /** Refusals that should not have been, since the last call. */
  takeRefusalFaults(): string[];
  /** A process that was killed may have had a share in hand as well. */
  noteKills(kills: number): void;
  close(): Promise<void>;
}

async function openScene(plan: CreditsPlan): Promise<Scene> {
  const database = await openCampaignDatabase(plan.engine);
  const { customers, keys } = await openCustomers(database.accounts, plan.customers);
  const servers = Array.from({ length: plan.servers }, (_, index) =>
    createServer(`${plan.engine} ${index + 1}`, database.argv, join(database.dir, `writes-${index + 1}`)),
  );
  const tally = createCallTally(systemClock.elapsed);
  const books = createRoundBooks(database, tally, await readLedgerState(database.accounts));
  let wronglyRefused: string[] = [];
  let holders = plan.servers;

  function judgeRefusal({ key, price, claimedByOthers }: RefusedCall): void {
    const pool = books.before.pools.get(key.poolId);
    // Whoever came just now is not in the books yet.
    if (pool === undefined || key.customer === undefined) return;
    const { resetAt } = customers[key.customer]!;
    // Between its period's end and the next books it had less and more than these say.
    if (resetAt !== undefined && resetAt <= systemClock.now() && !pool.entries.has('expiry')) return;
    const free = pool.balance - pool.leased;
    const freeShare = (1 - 1 / LEASE_SHARE) ** holders;
    const fault = refusalFault({ poolId: pool.id, price, free, freeShare, claimedByOthers });
    if (fault !== undefined) wronglyRefused.push(fault);
  }

  const random = createRandom(`load/${plan.engine}/${plan.seed}`);
  const load = startLoad({ random, servers, tally, onRefusal: judgeRefusal });
  load.add(keys.map((key) => ({ ...key, asks: asksOf(plan, key) })));
  await Promise.all(servers.map((server) => server.start()));
  return {
    plan,
    database,
    servers,
    customers,
    keys,
    load,
    newcomers: createNewcomers(database.accounts, servers),
    books,
    takeRefusalFaults() {
      const taken = wronglyRefused;
      wronglyRefused = [];
      holders = plan.servers;
      return taken;
    },
    noteKills(kills) {
      holders += kills;
    },
    async close() {
      await Promise.all(servers.map((server) => server.kill()));
      await database.close();
    },
  };
}

async function playRound(scene: Scene, round: Round): Promise<RoundOutcome> {
  const { load, books } = scene;
  const heldBackBefore = load.statuses.get(503) ?? 0;
  load.resume();
  const granting = Promise.all([grant(scene, round), admitNewcomers(scene, round)]);
  await systemClock.sleep(round.leadMs);
  const happened = await causeTrouble(scene, round.trouble);
  await systemClock.sleep(round.tailMs);
  await granting;
  await load.pause();
  const heldBack = (load.statuses.get(503) ?? 0) - heldBackBefore;
  const closed = await books.close(happened);
  const faults = [...closed.faults, ...scene.takeRefusalFaults(), ...load.takeFaults()];
  return { ...closed, faults, round, heldBack, kills: happened.deaths.length };
}

/** Wallets that sign in for the first time, while everybody spends, and spend their trials from then on. */
async function admitNewcomers({ newcomers, load }: Scene, { signIns }: Round): Promise<void> {
  await Promise.all(
    signIns.map(async (newcomer) => {
      const key = await newcomers.signIn(newcomer);
      if (key !== undefined) load.add([{ ...key, asks: undefined }]);
    }),
  );
}

/** The operator's grants, while everybody spends. */
async function grant({ database, customers }: Scene, { grants, leadMs }: Round): Promise<void> {
  const ledger = createLedger({ clock: systemClock, plans: CAMPAIGN_PLANS });
  for (const { customer, credits } of grants) {
    await systemClock.sleep(leadMs / (grants.length + 1));
    const { accountId } = customers[customer]!;
    await database.accounts.db
      .transaction()
      .execute((transaction) => ledger.grantCredits(transaction, accountId, credits, undefined));
  }
}
