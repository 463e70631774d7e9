import { createRandom, type Random } from '../../../src/simulator/random.ts';
import type { Engine } from '../../../src/store/accounts-db/engine.ts';
import { ASKED, type AskedName } from './asked.ts';

/** Everything that one run does to the service, decided before it begins by its seed alone. */
export interface CreditsPlan {
  readonly seed: string;
  readonly engine: Engine;
  /** Processes that serve at once. */
  readonly servers: number;
  readonly customers: readonly Customer[];
  readonly rounds: readonly Round[];
}

/** An account with credits, and keys to spend them with. */
export interface Customer {
  /** Of the general pool at the start. */
  readonly credits: number;
  /** Keys that are paid for from the general pool. */
  readonly keys: number;
  /** Keys with a pool of their own, and what is in each. */
  readonly budgets: readonly number[];
  /** All that its keys ask; undefined for anything. */
  readonly asks: AskedName | undefined;
  /** Its plan renews so many milliseconds after the start; undefined for the trial, which never does. */
  readonly renewsAfterMs: number | undefined;
}

/** Some load, with one trouble in it. Then all is quiet, and the books are compared. */
export interface Round {
  /** Load before the trouble. */
  readonly leadMs: number;
  /** Load behind it. */
  readonly tailMs: number;
  readonly trouble: Trouble;
  /** Credits that the operator grants in it, by number of the customer. */
  readonly grants: readonly { readonly customer: number; readonly credits: number }[];
  /** Wallets that sign in for the first time in it, with the networks they come from. */
  readonly signIns: readonly { readonly wallet: number; readonly network: number }[];
}

export type Trouble =
  | {
      readonly kind: 'kill';
      readonly server: number;
      /** Right behind a write to the database, or whenever. */
      readonly moment: 'anywhere' | 'write';
      readonly delayMs: number;
      /** It is killed once more, so many milliseconds into its start. */
      readonly againMs: number | undefined;
    }
  /** Stopped for longer than a lease, then let go on. */
  | { readonly kind: 'freeze'; readonly server: number }
  /** The database answers no write; a process is killed in the middle of that, or none. */
  | { readonly kind: 'stall'; readonly forMs: number; readonly kills: number | undefined; readonly killAfterMs: number }
  /** Postgres ends every connection and recovers from its log. */
  | { readonly kind: 'crash of the database' }
  /** A commit is done, and its answer never comes. */
  | { readonly kind: 'lost answer'; readonly commits: number };

/** In turn. SQLite lives in the process that is killed: nothing can come between the two but a lock. */
const OTHER_TROUBLES: Readonly<Record<Engine, readonly Trouble['kind'][]>> = {
  sqlite: ['stall', 'freeze'],
  postgres: ['lost answer', 'stall', 'freeze', 'crash of the database', 'stall'],
};
const POSTGRES_SERVERS = 3;
/** Every so many rounds there is another trouble than a kill. */
const OTHER_TROUBLE_EVERY = 4;
/** A round, roughly: renewals are spread over the run by it. */
const ROUND_MS = 2_500;
/** Within a write's own time. */
const MAX_BEHIND_WRITE_MS = 12;
const MAX_ANYWHERE_MS = 400;
/** Well over the second after which new calls are held back. */
const MIN_STALL_MS = 3_000;
const MAX_STALL_MS = 4_200;
/** A start takes about as long. */
const MAX_START_MS = 1_200;
/** More wallets than trials to a network. */
const WALLETS_A_NETWORK = 5;

export function planCredits(seed: string, engine: Engine, kills: number): CreditsPlan {
  const random = createRandom(`credits/${engine}/${seed}`);
  const servers = engine === 'postgres' ? POSTGRES_SERVERS : 1;
  const customers = drawCustomers(random.fork('customers'), kills * ROUND_MS);
  return {
    seed,
    engine,
    servers,
    customers,
    rounds: drawRounds(random.fork('rounds'), { engine, servers, kills, customers }),
  };
}

function drawCustomers(random: Random, runMs: number): Customer[] {
  const trial = { asks: undefined, renewsAfterMs: undefined, budgets: [] };
  const many = (count: number, draw: () => Customer): Customer[] => Array.from({ length: count }, draw);
  return [
    ...many(6, () => ({ ...trial, credits: random.between(200_000, 5_000_000), keys: random.between(1, 3) })),
    ...many(4, () => ({
      ...trial,
      credits: random.between(10_000, 100_000),
      keys: 1,
      budgets: [random.between(50_000, 200_000), random.between(10, 400)],
    })),
    // Near zero.
    ...many(10, () => ({ ...trial, credits: random.between(0, 600), keys: random.between(1, 3) })),
    // Exactly so many calls.
    ...many(6, () => {
      const { name, cost } = random.pick(ASKED.filter((asked) => asked.status === 200 && asked.cost === asked.price));
      return { ...trial, asks: name, credits: cost * random.between(5, 200), keys: 1 };
    }),
    ...many(8, () => ({
      ...trial,
      credits: random.between(0, 2_000),
      keys: random.between(1, 2),
      budgets: random.chance(0.5) ? [random.between(100, 5_000)] : [],
      renewsAfterMs: random.between(1_000, Math.max(2_000, runMs)),
    })),
  ];
}

interface Drawn extends Pick<CreditsPlan, 'engine' | 'servers' | 'customers'> {
  readonly kills: number;
}

function drawRounds(random: Random, { engine, servers, kills, customers }: Drawn): Round[] {
  const rounds: Round[] = [];
  const other = OTHER_TROUBLES[engine];
  let killed = 0;
  let wallet = 0;
  while (killed < kills) {
    const isOther = rounds.length % OTHER_TROUBLE_EVERY === OTHER_TROUBLE_EVERY >> 1;
    const trouble = isOther
      ? drawOther(random, other[Math.floor(rounds.length / OTHER_TROUBLE_EVERY) % other.length]!, servers)
      : drawKill(random, servers, kills - killed);
    if (trouble.kind === 'kill') killed += trouble.againMs === undefined ? 1 : 2;
    const signIns = Array.from({ length: random.chance(0.5) ? random.between(1, WALLETS_A_NETWORK) : 0 }, () => {
      wallet += 1;
      return { wallet, network: Math.floor((wallet - 1) / WALLETS_A_NETWORK) };
    });
    rounds.push({
      leadMs: random.between(150, 700),
      tailMs: random.between(100, 500),
      trouble,
      grants: drawGrants(random, customers),
      signIns,
    });
  }
  return rounds;
}

function drawKill(random: Random, servers: number, left: number): Trouble {
  const moment = random.pick(['anywhere', 'write'] as const);
  const delayMs = random.between(0, moment === 'write' ? MAX_BEHIND_WRITE_MS : MAX_ANYWHERE_MS);
  const again = left > 1 && random.chance(0.1);
  const againMs = again ? random.between(0, MAX_START_MS) : undefined;
  return { kind: 'kill', server: random.below(servers), moment, delayMs, againMs };
}

function drawOther(random: Random, kind: Trouble['kind'], servers: number): Trouble {
  if (kind === 'freeze') return { kind, server: random.below(servers) };
  if (kind === 'crash of the database') return { kind };
  if (kind === 'stall') {
    const forMs = random.between(MIN_STALL_MS, MAX_STALL_MS);
    const kills = random.chance(0.7) ? random.below(servers) : undefined;
    return { kind, forMs, kills, killAfterMs: random.between(0, forMs) };
  }
  return { kind: 'lost answer', commits: random.between(1, 6) };
}

/** Draws grants for customers who run out: a pool that is never filled again is not near zero for long. */
function drawGrants(random: Random, customers: readonly Customer[]): Round['grants'] {
  const poor = customers.flatMap(({ credits, renewsAfterMs, asks }, customer) =>
    credits < 1_000 && renewsAfterMs === undefined && asks === undefined ? [customer] : [],
  );
  return Array.from({ length: random.between(0, 3) }, () => ({
    customer: random.pick(poor),
    credits: random.between(1, 300),
  }));
}
