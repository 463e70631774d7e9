import type { Subjects } from '../golden/golden-chain.ts';

/** Of no block, but of what a stranger's host says. */
export const OUTSIDE = new Set(['getTokenMetadata', 'getTokenImage', 'getSolPriceHistory']);

/** Paths of each route, by its name. */
export function questions(subjects: Subjects): Readonly<Record<string, readonly string[]>> {
  const { fed, newborn, graduated, unseen, unknown, sender, developer, comer } = subjects;
  // Of a token that is made while blocks come some answers are 404 at first.
  const young = [newborn, unknown];
  const of = (tail: string, mints = [fed]) => mints.map((mint) => `/tokens/${mint}${tail}`);
  return {
    listTokens: [
      '/tokens?limit=5',
      '/tokens?sort=last_trade&limit=5',
      '/tokens?status=bonding&limit=5',
      '/tokens?status=graduated&sort=last_trade&limit=5',
      `/tokens?creator=${developer}`,
      '/tokens?sort=last_trade&limit=5&spark=1',
      '/tokens?sort=last_trade&min_vol=1000000000&min_traders=3&quote=&limit=5',
      '/tokens?min_progress=1&mayhem=0&limit=5',
      '/tokens?status=bonding&min_vol=1000000&limit=5&spark=1',
    ],
    getToken: of('', [fed, newborn]),
    batchTokens: [`/tokens/batch?mints=${[fed, unknown, newborn, graduated].join()}`],
    listSwaps: [...of('/swaps?limit=20&failed=1&transfers=1'), ...of('/swaps?order=asc&limit=500', [fed])],
    listCandles: of('/candles?tf=1s&limit=20', [fed, graduated]),
    getTicks: of('/ticks?limit=20'),
    getActivity: of('/activity', [fed, ...young]),
    listHolders: [...of('/holders?limit=10', [fed, ...young]), ...of('/holders?limit=500', [fed])],
    listTraders: of('/traders?limit=10', [fed, ...young]),
    getHolderHistory: of('/holders/history?tf=5m', [fed, ...young]),
    getHolderStats: of('/holder-stats', [fed, unseen, ...young]),
    getCounters: of('/counters', [fed, unseen, ...young]),
    getIntelligence: of('/intelligence', [fed, newborn]),
    getLaunch: of('/launch?limit=50', [fed, newborn]),
    getLaunchRace: of('/launch-race', [fed, newborn]),
    listFirstBuyers: of('/first-buyers', [fed, newborn]),
    getMempoolBuyers: ['/mempool-buyers'],
    getFundingClusters: of('/funding-clusters', [fed, ...young]),
    listTransfers: of('/transfers', [subjects.sent, fed, ...young]),
    listWalletTransfers: [sender, unknown, comer].map((wallet) => `/wallets/${wallet}/token-transfers`),
    getSends: of('/sends?w=24h', [subjects.sent, ...young]),
    listPrices: [`/prices?mints=${[fed, newborn, graduated, unknown].join()}`],
    listPools: of('/pools', [graduated, ...young]),
    getCreatorFees: of('/creator-fees', [fed, ...young]),
    searchTokens: ['do', 'moon&limit=50', 'gaint', newborn, fed].map((text) => `/search?q=${text}`),
    suggest: ['do', 'forg', newborn, developer, comer].map((text) => `/search/suggest?q=${text}`),
    listTokensByName: ['/tokens-by-name?name=Doge%20Rocket', '/tokens-by-name?name=Turbo%20Pigeon'],
    getPack: of('/pack', [fed]),
    listTrending: ['/tokens/trending?limit=200', '/tokens/trending?window=5m', '/tokens/trending?window=1h30m&spark=1'],
    listGraduating: ['/tokens/graduating?limit=200', '/tokens/graduating?sort=eta&min_progress=5&spark=1'],
    crossCheck: [
      `/cross?mints=${[fed, newborn, graduated, unknown].join()}&wallets=${[sender, developer, comer, unknown].join()}`,
    ],
    listTrendingNames: ['/trending-names', '/trending-names?window=1m&limit=3'],
    listTweetTokens: ['/tweet-tokens?limit=200'],
    listEvents: ['/events?min_sol=100000000&limit=200', '/events'],
    tipsByProvider: ['/tips/by-provider', '/tips/by-provider?window=5m'],
    launchpadDay: ['/launchpad-24h'],
    ecosystem: ['/ecosystem', '/ecosystem?window=24h', '/ecosystem?window=7d'],
    ecosystemHistory: ['volume', 'active_traders_1h', 'new_tokens', 'tips_total', 'fees_1h&step=1d'].map(
      (metric) => `/ecosystem/history?metric=${metric}`,
    ),
    listRouters: ['/routers', '/routers?window=5m&venue=0', '/routers?window=24h', '/routers?window=7d&venue=1'],
    tipMarket: ['/tip-market', '/tip-market?window=5m', '/tip-market?window=24h', '/tip-market?window=7d'],
    landingConditions: ['/landing-conditions', '/landing-conditions?window=5m', '/landing-conditions?window=24h'],
    getLeaders: ['/leaders', '/leaders?past=8&future=4'],
    getDistribution: ['/leaders/distribution', '/leaders/distribution?by=client'],
    listEquities: ['/equities'],
    getEquity: [`/equities/${subjects.equity}`],
    getStats: ['/stats'],
  };
}
