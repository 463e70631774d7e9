import type { RouteContract } from '../../../src/contract/route.ts';
import type { BlockFacts } from '../../../src/facts/fact.ts';
import { ROUTES } from '../../../src/routes.ts';

/** One thing that readers ask for. */
export interface Question {
  readonly route: RouteContract;
  /** Below the base path, with its query. */
  readonly path: string;
  /** Its answer is made of stored facts alone, so that data at rest has one right answer. */
  readonly ofFacts: boolean;
}

/** Queries that the books know best, and queries that are asked of the store each time. */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  listTokens: [
    '',
    'sort=trending',
    'limit=3',
    'limit=100',
    'min_traders=2&min_progress=0.1&limit=20',
    'min_vol=1&spark=1',
  ],
  listSwaps: ['limit=20', 'order=asc&limit=20', 'failed=1&limit=20', 'transfers=1&limit=20'],
  listCandles: ['tf=1m', 'tf=1s&limit=50', 'tf=1d'],
  getTicks: ['limit=50'],
  listTransfers: ['window=24h&limit=20', 'limit=20'],
  listWalletTransfers: ['limit=20'],
  searchTokens: ['q=do', 'q=moon&limit=50', 'q=cta'],
  suggest: ['q=pe'],
  listTokensByName: ['name=Doge%20Cat', 'name=Pepe%20Frog&limit=3'],
};
/** Told of the service itself, of the account that asks, or of what is outside: validators as they are now, too. */
const NOT_OF_FACTS: ReadonlySet<string> = new Set([
  'getHealth',
  'getLeaders',
  'getDistribution',
  'getStats',
  'getCosts',
  'getAccount',
  'getBalance',
  'listUsage',
  'getTokenMetadata',
  'getTokenImage',
  'listWalletGroups',
  'listWalletFavorites',
  'listStreams',
]);
/** Nobody tells the service the price of SOL here. */
const UNASKED: ReadonlySet<string> = new Set(['getSolPrice', 'getSolPriceHistory']);
/** Nobody reads it in a session here. */
const ASKABLE: ReadonlySet<string> = new Set(['public', 'key', 'account', 'owner']);

/** Every kind of route that is read, of tokens and wallets that the chain has seen. */
export function makeQuestions(facts: readonly BlockFacts[], mintCount: number): readonly Question[] {
  const swaps = facts.flatMap((each) => each.swaps);
  const mints = [...new Set(swaps.map(({ mint }) => mint))].slice(0, mintCount);
  const wallets = [...new Set(swaps.map(({ trader }) => trader))].slice(0, 1);
  return ROUTES.filter(isAsked).flatMap((route) =>
    pathsOf(route, mints, wallets).flatMap((path) =>
      (QUERIES[route.name] ?? ['']).map((query) => ({
        route,
        path: withQuery(path, query),
        ofFacts: !NOT_OF_FACTS.has(route.name),
      })),
    ),
  );
}

function pathsOf({ path, query }: RouteContract, mints: readonly string[], wallets: readonly string[]): string[] {
  const full = 'mints' in query ? `${path}?mints=${mints.join(',')}` : path;
  if (full.includes('{mint}')) return mints.map((mint) => full.replace('{mint}', mint));
  if (full.includes('{trader}')) return wallets.map((wallet) => full.replace('{trader}', wallet));
  return full.includes('{') ? [] : [full];
}

function withQuery(path: string, query: string): string {
  if (query === '') return path;
  return `${path}${path.includes('?') ? '&' : '?'}${query}`;
}

function isAsked({ method, access, name }: RouteContract): boolean {
  return method === 'GET' && ASKABLE.has(access) && !UNASKED.has(name);
}
