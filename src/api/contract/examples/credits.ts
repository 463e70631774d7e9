import type { Balance, Usage } from '../resources/credits.ts';

export const balanceExample: Balance = {
  pool: 'general',
  key_id: 12,
  remaining: 36_120,
  capacity: 200_000,
  pct_used: 81,
  warning: 'used_80',
  plan: 'trial',
  reset_at: null,
  rate_limit: { rps: 10, burst: 20 },
  enforced: true,
};

export const dedicatedBalanceExample: Balance = {
  pool: 'dedicated',
  key_id: 13,
  remaining: 0,
  capacity: 50_000,
  pct_used: 100,
  warning: 'exhausted',
  plan: 'basic',
  reset_at: '2026-12-01T10:00:00.000Z',
  rate_limit: { rps: 5, burst: 10 },
  enforced: true,
};

export const usageExample: readonly Usage[] = [
  { key: 'GET /tokens/{mint}/pack', calls: 120, credits: 4_711 },
  { key: 'GET /tokens/{mint}', calls: 1_893, credits: 1_893 },
];
