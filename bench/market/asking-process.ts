import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '../disk/random.ts';
import type { AskingOrder, FromAsking } from './asked-service.ts';
import { known, type MarketQuestion, pathOf } from './known-routes.ts';

/**
 * Asks a service so many times a second, whatever it answers: what comes too late is asked on time all the same. Routes are
 * mixed as visitors mix them, over whatever tokens lists show.
 */
const TOKENS_EVERY_MS = 5_000;
const TURN_MS = 10;
const GIVEN_UP_MS = 30_000;

/** Of a token, each so often in {@link OF_TOKENS}; `$mint` stands for one. */
const TOKEN_PATHS: Readonly<Record<string, number>> = {
  '/tokens/$mint': 12,
  '/tokens/$mint/swaps': 12,
  '/tokens/$mint/ticks': 6,
  '/tokens/$mint/candles': 10,
  '/tokens/$mint/activity': 6,
  '/tokens/$mint/holders': 6,
  '/tokens/$mint/traders': 3,
  '/tokens/$mint/counters': 3,
  '/tokens/$mint/holder-stats': 2,
  '/tokens/$mint/launch': 2,
  '/tokens/$mint/first-buyers': 2,
  '/tokens/$mint/intelligence': 2,
  '/tokens/$mint/pools': 2,
  '/tokens/$mint/transfers': 2,
  '/tokens/$mint/pack': 2,
};
/** Over all tokens, all equally often. */
const MARKET_QUESTIONS: readonly MarketQuestion[] = [
  { name: 'newest', route: '/tokens' },
  { name: 'last_trade', route: '/tokens', query: { sort: 'last_trade' } },
  { name: 'bonding', route: '/tokens', query: { status: 'bonding', limit: '50' } },
  { name: 'trending', route: '/tokens/trending', query: { window: '1h' } },
  { name: 'graduating', route: '/tokens/graduating' },
  { name: 'trending_names', route: '/trending-names' },
  { name: 'events', route: '/events' },
  { name: 'launchpad', route: '/launchpad-24h' },
  { name: 'tips', route: '/tips/by-provider' },
  { name: 'search', route: '/search', query: { q: 'mo' } },
  { name: 'suggest', route: '/search/suggest', query: { q: 'ca' } },
  { name: 'ecosystem', route: '/ecosystem', query: { window: '24h' } },
];
/** Share of the requests that ask about the market. */
const OF_MARKET = 0.28;

process.once('message', (order: AskingOrder) => void askAll(order));
process.once('disconnect', () => process.exit());

async function askAll({ address, keys, perSecond }: AskingOrder): Promise<void> {
  const random = createRandom(5);
  const ofToken = Object.entries(TOKEN_PATHS).flatMap(([path, weight]) => Array.from({ length: weight }, () => path));
  const ofMarket = known(MARKET_QUESTIONS).map(pathOf);
  const mints = new Set<string>();
  // Answers still come while the bench hangs up, and nobody is to be told of them.
  const tell = (message: FromAsking) => process.connected && process.send?.(message, undefined, {}, () => {});

  async function answered(path: string): Promise<{ readonly status: number | 'cut'; readonly text: string }> {
    const headers = { 'x-api-key': random.pick(keys) };
    try {
      const answer = await fetch(address + path, { headers, signal: AbortSignal.timeout(GIVEN_UP_MS) });
      return { status: answer.status, text: await answer.text() };
    } catch {
      return { status: 'cut', text: '' };
    }
  }

  async function learnMints(): Promise<void> {
    for (const sort of ['newest', 'last_trade']) {
      const { status, text } = await answered(`/tokens?sort=${sort}&limit=500`);
      if (status !== 200) continue;
      for (const { mint } of (JSON.parse(text) as { data: readonly { mint: string }[] }).data) mints.add(mint);
    }
  }

  async function ask(route: string, path: string, due: number): Promise<void> {
    const { status, text } = await answered(path);
    // What nobody has traded yet may be unknown, and everything else is to be answered.
    const reason = status === 200 || status === 'cut' ? '' : text.slice(0, 200);
    tell({ type: 'answer', route, status, ms: performance.now() - due, reason });
  }

  while (mints.size === 0) {
    await learnMints();
    await sleep(TURN_MS);
  }
  tell({ type: 'begun' });
  setInterval(() => void learnMints(), TOKENS_EVERY_MS);
  const begun = performance.now();
  let asked = 0;
  setInterval(() => {
    const all = [...mints];
    for (; asked < ((performance.now() - begun) / 1_000) * perSecond; asked += 1) {
      const route = random.chance(OF_MARKET) ? random.pick(ofMarket) : random.pick(ofToken);
      void ask(
        route.replace(/\?.*/, ''),
        route.replace('$mint', random.pick(all)),
        begun + (asked * 1_000) / perSecond,
      );
    }
  }, TURN_MS);
}
