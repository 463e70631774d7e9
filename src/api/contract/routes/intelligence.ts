import { countersExample, holderStatsExample, onchainStatsExample } from '../examples/intelligence.ts';
import { addressParameter } from '../parameter.ts';
import { flatPrice } from '../price.ts';
import { Counters, HolderStats } from '../resources/holder-stats.ts';
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
  params: { mint },
  price: flatPrice(1),
  response: Counters,
  absent: 'token_not_found',
  examples: { counters: countersExample },
});

export const INTELLIGENCE_ROUTES: readonly RouteContract[] = [getHolderStats, getCounters];
