import type { Counters, HolderStats } from '../resources/holder-stats.ts';

/** Made-up but consistent answers for the documentation. */
export const holderStatsExample: HolderStats = {
  source: 'swap_estimate',
  updated_at: '2026-08-01T10:00:02.104Z',
  holders: 31,
  held: '151612903225806',
  top10: '120511903225806',
  top25: '147982903225806',
};

export const onchainStatsExample: HolderStats = {
  source: 'onchain',
  slot: 351265126,
  updated_at: '2026-08-01T10:00:03.417Z',
  holders: 34,
  held: '151612903225806',
  top10: '119100903225806',
  top25: '146770903225806',
};

export const countersExample: Counters = {
  updated_at: '2026-08-01T10:00:02.310Z',
  holder_stats: holderStatsExample,
  bundle: 1,
  dev: 12,
};
