import type { LeaseTimes } from '../../../src/accounts/credits/lease-rules.ts';
import { readPlans } from '../../../src/accounts/plans.ts';

/** So little that it is spent again within the run, and not all budgets are funded by it. */
export const MONTHLY_CREDITS = 4_000;
export const TRIAL_CREDITS = 5_000;
export const RENEWING_PLAN = 'renewing';

/** A twentieth of the real ones: a frozen process need not be frozen for a minute. */
export const SHORT_LEASES: LeaseTimes = { lastsMs: 3_000, marginMs: 500 };
/** After this nobody may use a lease, and everybody may use what it held; sweeps take their time. */
export const LEASE_OVER_MS = SHORT_LEASES.lastsMs + SHORT_LEASES.marginMs + 1_500;

const RATE = { rps: 10_000, burst: 100_000 };

/** Plans whose credits run out, and whose rates do not: a file's text. */
export const CAMPAIGN_PLANS_TEXT = JSON.stringify({
  plans: [
    { name: 'none', monthly_credits: null, ...RATE },
    { name: 'trial', monthly_credits: null, trial_credits: TRIAL_CREDITS, ...RATE },
    { name: RENEWING_PLAN, monthly_credits: MONTHLY_CREDITS, ...RATE },
    { name: 'operator', monthly_credits: null, unbounded: true, ...RATE },
  ],
});

export const CAMPAIGN_PLANS = readPlans('the campaign', CAMPAIGN_PLANS_TEXT);
