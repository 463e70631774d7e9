import { readFile } from 'node:fs/promises';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { RateLimit } from '../handlers/caller.ts';
import data from './plans.json' with { type: 'json' };

/** Limits of an account, and the credits that come to it. */
export interface Plan {
  readonly name: string;
  /** Credits that come each month, in place of what is left; undefined when nothing renews. */
  readonly monthlyCredits: number | undefined;
  /** Credits that come once, with the account's first key. */
  readonly trialCredits: number;
  /** Calls are counted and never paid for. */
  readonly unbounded: boolean;
  /** Of each key that has no limit of its own. */
  readonly rate: RateLimit;
  readonly streams: number;
  readonly keys: number;
}

export interface Plans {
  /** In the order of the file. */
  readonly names: readonly string[];
  find(name: string): Plan | undefined;
  /** The plan of this name; of a name that no plan has (any more), what the plan `none` allows. */
  get(name: string): Plan;
}

/** Plans that the service itself names: no other file may be without them. */
export const NO_PLAN = 'none';
export const TRIAL_PLAN = 'trial';
export const OPERATOR_PLAN = 'operator';
/** Accounts begin on the first two without a renewal, and the last one has no bound. */
const UNRENEWED: ReadonlySet<string> = new Set([NO_PLAN, TRIAL_PLAN, OPERATOR_PLAN]);

/** Wrong plans, with everything that is wrong with them. */
export class InvalidPlans extends Error {
  override readonly name = 'InvalidPlans';
  readonly code = 'invalid_plans';

  constructor(source: string, faults: readonly string[]) {
    super(`invalid plans in ${source}:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  }
}

const PAID_DEFAULTS = { trial_credits: 0, unbounded: false, rps: 20, burst: 40, streams: 3, keys: 10 };
/** So that sums of many balances are still exact. */
const MAX_CREDITS = 1_000_000_000_000;
const MAX_PLANS = 100;
/** Streams that a plan may allow: an account's are listed in one answer, each with up to 2,000 wallets. */
export const MAX_PLAN_STREAMS = 100;

const PlanEntry = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z][a-z0-9_-]{0,31}$' }),
    monthly_credits: Type.Union([Type.Integer({ minimum: 1, maximum: MAX_CREDITS }), Type.Null()]),
    trial_credits: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_CREDITS })),
    unbounded: Type.Optional(Type.Boolean()),
    rps: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
    burst: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
    streams: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_PLAN_STREAMS })),
    keys: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
  },
  { additionalProperties: false },
);
type PlanEntry = Static<typeof PlanEntry>;

const PlanFile = Type.Object(
  { plans: Type.Array(PlanEntry, { minItems: 1, maxItems: MAX_PLANS }) },
  { additionalProperties: false },
);

/** The plans of a file, or those that come with the service. @throws {InvalidPlans} */
export async function loadPlans(file: string | undefined): Promise<Plans> {
  return file === undefined ? DEFAULT_PLANS : readPlans(file, await readFile(file, 'utf8'));
}

/** Plans out of the text of a file. @throws {InvalidPlans} */
export function readPlans(source: string, text: string): Plans {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new InvalidPlans(source, [`is not JSON: ${String(error)}`]);
  }
  return toPlans(source, value);
}

/** The plans that come with the service. */
export const DEFAULT_PLANS: Plans = toPlans('plans.json', data);

function toPlans(source: string, value: unknown): Plans {
  if (!Value.Check(PlanFile, value)) {
    const faults = Value.Errors(PlanFile, value).map(
      ({ instancePath, message }) => `${instancePath || '/'} ${message}`,
    );
    throw new InvalidPlans(source, faults);
  }
  const faults = contradictions(value.plans);
  if (faults.length > 0) throw new InvalidPlans(source, faults);
  const plans = new Map(value.plans.map((entry) => [entry.name, toPlan(entry)]));
  const none = plans.get(NO_PLAN);
  if (none === undefined) throw new InvalidPlans(source, [`there is no plan ${NO_PLAN}`]);
  return {
    names: [...plans.keys()],
    find: (name) => plans.get(name),
    get: (name) => plans.get(name) ?? none,
  };
}

function contradictions(entries: readonly PlanEntry[]): string[] {
  const names = entries.map(({ name }) => name);
  const faults = [NO_PLAN, TRIAL_PLAN, OPERATOR_PLAN]
    .filter((name) => !names.includes(name))
    .map((name) => `there is no plan ${name}`);
  for (const [index, { name, monthly_credits, unbounded, ...limits }] of entries.entries()) {
    const { rps, burst } = { ...PAID_DEFAULTS, ...limits };
    if (names.indexOf(name) < index) faults.push(`${name}: there are two plans of this name`);
    if (burst < rps) faults.push(`${name}: burst must be at least rps, ${rps}`);
    if ((unbounded === true) !== (name === OPERATOR_PLAN)) faults.push(`${name}: only ${OPERATOR_PLAN} is unbounded`);
    if (UNRENEWED.has(name) && monthly_credits !== null) {
      faults.push(`${name}: monthly_credits must be null`);
    }
  }
  return faults;
}

function toPlan(entry: PlanEntry): Plan {
  const { name, monthly_credits, trial_credits, unbounded, rps, burst, streams, keys } = { ...PAID_DEFAULTS, ...entry };
  return {
    name,
    monthlyCredits: monthly_credits ?? undefined,
    trialCredits: trial_credits,
    unbounded,
    rate: { rps, burst },
    streams,
    keys,
  };
}
