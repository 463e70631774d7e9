import {
  countersExample,
  holderStatsExample,
  intelligenceExample,
  onchainStatsExample,
  unreconciledExample,
} from '../examples/intelligence.ts';
import { addressParameter } from '../parameter.ts';
import { flatPrice } from '../price.ts';
import { Counters, HolderStats } from '../resources/holder-stats.ts';
import { Intelligence } from '../resources/intelligence.ts';
import { defineRoute, type RouteContract } from '../route.ts';

const mint = addressParameter('invalid_mint', 'Token address.');

export const getHolderStats = defineRoute({
  path: '/tokens/{mint}/holder-stats',
  tag: 'tokens',
  name: 'getHolderStats',
  summary: 'How many hold a token, and how much the largest do',
  description:
    'As trades tell, or as the chain does when a node is configured and has answered: it is asked beside the question, and the estimate is served until then. Made again every 2 seconds while somebody asks; updated_at tells the age.',
  access: 'key',
  pages: true,
  params: { mint },
  price: flatPrice(1),
  response: HolderStats,
  absent: 'token_not_found',
  examples: { swap_estimate: holderStatsExample, onchain: onchainStatsExample },
});

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

export const INTELLIGENCE_ROUTES: readonly RouteContract[] = [getHolderStats, getCounters, getIntelligence];
