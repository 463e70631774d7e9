import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_PLANS, InvalidPlans, loadPlans, readPlans } from './plans.ts';

const NEEDED = [
  { name: 'none', monthly_credits: null },
  { name: 'trial', monthly_credits: null, trial_credits: 500 },
  { name: 'operator', monthly_credits: null, unbounded: true },
];
const file = (...plans: readonly object[]) => JSON.stringify({ plans: [...NEEDED, ...plans] });

function faultsOf(text: string): string {
  try {
    readPlans('plans', text);
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidPlans);
    return (error as Error).message;
  }
  return '';
}

describe('plans that come with the service', () => {
  it('have the trial and the limits of the specification', () => {
    expect(DEFAULT_PLANS.get('trial')).toEqual({
      name: 'trial',
      monthlyCredits: undefined,
      trialCredits: 200_000,
      unbounded: false,
      rate: { rps: 10, burst: 20 },
      streams: 3,
      keys: 10,
    });
    expect(DEFAULT_PLANS.get('basic').rate).toEqual({ rps: 20, burst: 40 });
    expect(DEFAULT_PLANS.names.filter((name) => DEFAULT_PLANS.get(name).unbounded)).toEqual(['operator']);
    expect(DEFAULT_PLANS.find('gold')).toBeUndefined();
    expect(DEFAULT_PLANS.get('gold')).toBe(DEFAULT_PLANS.find('none'));
  });
});

describe('plans of a file', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'mintscope-plans-'));
  });
  afterEach(() => rm(dir, { recursive: true }));

  it('are read, with what a paid plan has where nothing is said', async () => {
    const path = join(dir, 'plans.json');
    await writeFile(path, file({ name: 'gold', monthly_credits: 7, keys: 3 }));
    const plans = await loadPlans(path);
    expect(plans.get('gold')).toMatchObject({ monthlyCredits: 7, rate: { rps: 20, burst: 40 }, keys: 3, streams: 3 });
    expect(plans.get('trial').trialCredits).toBe(500);
    expect(await loadPlans(undefined)).toBe(DEFAULT_PLANS);
  });

  it.each([
    ['no JSON', '{', 'is not JSON'],
    ['no list', '{}', 'plans'],
    ['a plan that is missing', JSON.stringify({ plans: NEEDED.slice(1) }), 'there is no plan none'],
    ['two of a name', file({ name: 'none', monthly_credits: null }), 'none: there are two plans'],
    ['credits that are no integer', file({ name: 'gold', monthly_credits: 1.5 }), '/plans/3/monthly_credits'],
    ['a field that nobody knows', file({ name: 'gold', monthly_credits: 1, price: 2 }), '/plans/3'],
    ['a burst below the rate', file({ name: 'gold', monthly_credits: 1, rps: 50 }), 'gold: burst must be at least rps'],
    [
      'a trial that renews',
      JSON.stringify({ plans: NEEDED.map((plan) => ({ ...plan, monthly_credits: plan.name === 'trial' ? 9 : null })) }),
      'trial: monthly_credits must be null',
    ],
    ['another one without a bound', file({ name: 'gold', monthly_credits: 1, unbounded: true }), 'only operator'],
  ])('are refused with the reason: %s', (_name, text, said) => {
    expect(faultsOf(text)).toContain(said);
  });
});
