import { type Static, Type } from 'typebox';
import { HolderStats, holderStatsExample } from '../../contract/holder-stats.ts';
import { addressParameter } from '../../contract/parameter.ts';
import { flatPrice } from '../../contract/price.ts';
import { defineRoute, type RouteContract } from '../../contract/route.ts';
import { Count, Mark, Timestamp } from '../../contract/scalars.ts';
import { COUNTED_LAUNCH_SWAPS, DEV_LAUNCHES_MAX } from './contract-limits.ts';
import { Intelligence, intelligenceExample, unreconciledExample } from './contract-shapes.ts';

export const Counters = Type.Object(
  {
    updated_at: Timestamp('When it was made.'),
    holder_stats: HolderStats,
    bundle: Type.Optional(
      Count(
        `Bundles in /launch, over its first ${COUNTED_LAUNCH_SWAPS} swaps; absent where these are not known for sure, or the neighbours of some.`,
      ),
    ),
    dev: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: DEV_LAUNCHES_MAX,
        description: `Other launches of the same dev, counted to ${DEV_LAUNCHES_MAX}; absent while the dev is not known.`,
      }),
    ),
    partial: Type.Optional(
      Mark('holder_stats is partial, or bundle or dev is not known: the launch was not seen, or not all of it.'),
    ),
  },
  { $id: 'Counters' },
);
export type Counters = Static<typeof Counters>;

export const countersExample: Counters = {
  updated_at: '2026-08-01T10:00:02.310Z',
  holder_stats: holderStatsExample,
  bundle: 1,
  dev: 12,
};

const mint = addressParameter('invalid_mint', 'Token address.');

export const getCounters = defineRoute({
  path: '/tokens/{mint}/counters',
  tag: 'tokens',
  name: 'getCounters',
  summary: 'Holders, bundles of the launch, other launches of the dev',
  access: 'key',
  pages: true,
  params: { mint },
  price: flatPrice(1),
  response: Counters,
  absent: 'token_not_found',
  examples: { counters: countersExample },
});

export const getIntelligence = defineRoute({
  path: '/tokens/{mint}/intelligence',
  tag: 'tokens',
  name: 'getIntelligence',
  summary: 'Who holds a token, and what insiders do',
  description:
    'Balances out of indexed trades, transfers, burns, liquidity and unexplained deltas; results by average cost; snipers, roles, events and one word for what stands out. Where balances are not known well enough (pnl.source is swap_estimate, or balances_unreconciled is true) nothing is told that depends on ownership. Made again every 2 seconds while somebody asks, up to every 5 when that takes long; updated_at tells the age.',
  access: 'key',
  pages: true,
  params: { mint },
  price: flatPrice(8),
  response: Intelligence,
  absent: 'token_not_found',
  examples: { indexed_transfers: intelligenceExample, swap_estimate: unreconciledExample },
});

export const INTELLIGENCE_ROUTES: readonly RouteContract[] = [getCounters, getIntelligence];
