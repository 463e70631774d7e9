import type { CostTable } from '../resources/cost-table.ts';
import type { Health, Stats } from '../resources/system.ts';

export const healthExample: Health = { status: 'ok', source: 'yellowstone', indexed_slot: 351265123, lag_ms: 640 };

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
};

export const costTableExample: CostTable = {
  version: 3,
  cost_version: 7,
  unit: 'credit',
  routes: {
    'GET /tokens': {
      default: 8,
      rule: '2 + 3*ceil(max(0, L-20)/50)',
      params: [{ name: 'limit', default: 100, max: 500 }],
    },
  },
};
