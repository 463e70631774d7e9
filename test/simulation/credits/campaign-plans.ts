import { readPlans } from '../../../src/accounts/plans.ts';

/** So little that it is spent again within the run, and not all budgets are funded by it. */
export const MONTHLY_CREDITS = 4_000;
export const TRIAL_CREDITS = 5_000;
export const RENEWING_PLAN = 'renewing';

const RATE = { rps: 10_000, burst: 100_000 };

/** Plans whose credits run out, and whose rates do not. */
export const CAMPAIGN_PLANS = readPlans(
  'the campaign',
  JSON.stringify({
    plans: [
      { name: 'none', monthly_credits: null, ...RATE },
      { name: 'trial', monthly_credits: null, trial_credits: TRIAL_CREDITS, ...RATE },
      { name: RENEWING_PLAN, monthly_credits: MONTHLY_CREDITS, ...RATE },
      { name: 'operator', monthly_credits: null, unbounded: true, ...RATE },
    ],
  }),
);
