import type { CostTable } from '../resources/cost-table.ts';
import type { Health, Stats } from '../resources/system.ts';

const NO_HOLES = { count: 0, slots: 0, filling: false, unavailable_slots: 0 };

export const healthExample: Health = {
  status: 'ok',
  source: 'yellowstone',
  indexed_slot: 351265123,
  lag_ms: 640,
  lag_slots: 2,
  unconfirmed_blocks: 0,
  holes: NO_HOLES,
  alarms: [],
};

export const alarmedExample: Health = {
  status: 'degraded',
  source: 'yellowstone',
  indexed_slot: 351265123,
  lag_ms: 48_200,
  lag_slots: 2,
  unconfirmed_blocks: 0,
  holes: {
    count: 1,
    slots: 12,
    oldest_slot: 351264980,
    oldest_age_ms: 57_200,
    filling: true,
    unavailable_slots: 0,
  },
  alarms: [{ code: 'lagging', since: '2026-11-21T05:50:12Z', message: 'the newest block is 48 s old' }],
  reason: 'the newest block is 48 s old',
};

export const statsExample: Stats = {
  tokens: 1204331,
  tokens_graduated: 10233,
  tokens_stable: 812,
  positions: 18330021,
  swaps: 95211870,
  tips: 30120114,
  swaps_1m: 8120,
  swaps_5m: 40110,
  swaps_1h: 481009,
  tokens_1h: 1280,
  tips_1h: 150331,
  lag_seconds: 0.6,
  db_size: 21474836480,
  compressed_bytes: 20401094656,
  uncompressed_bytes: 91268055040,
  chunks: 214,
  tables: [{ name: 'swaps', bytes: 15032385536 }],
  tips_by_provider: [{ provider: 'Jito', count: 120331, lamports: '410233000000' }],
  top_tokens: [{ mint: '2i29BGMb2w6dDgTLiBQDuLd9SWd49g2PP1vg9AgfxQRs', volume: '412000000000', trades: 1893 }],
  activity: [{ t: 1785578400, count: 8120 }],
  server: { load1: 0.7, load5: 0.6, load15: 0.5, cpus: 2, mem_used: 3221225472, mem_total: 8589934592 },
  ingest: {
    source: 'yellowstone',
    head_slot: 351265123,
    committed_slot: 351265121,
    lag_slots: 2,
    lag_ms: 640,
    blocks_per_second: 2.5,
    facts_per_second: 1350.2,
    unconfirmed_blocks: 0,
    withdrawn_blocks: 0,
    stale_mints: 0,
    flush_ms_p50: 84.1,
    flush_ms_p99: 190.6,
    holes: NO_HOLES,
    alarms: [],
  },
};

export const costTableExample: CostTable = {
  version: 3,
  cost_version: 8,
  unit: 'credit',
  routes: {
    'GET /tokens': {
      default: 8,
      rule: '2 + 3*ceil(max(0, L-20)/50)',
      params: [{ name: 'limit', default: 100, max: 500 }],
    },
  },
};
