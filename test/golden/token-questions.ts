import { GROWN_DISCOVERY } from './discovery-questions.ts';
import type { Subjects } from './golden-chain.ts';
import type { Script, Scripts } from './questions.ts';

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Asks a path behind `/tokens/{mint}` of each of these tokens, and of one that nobody knows. */
function ofEach(tail: string, ...names: readonly (keyof Subjects)[]): Script {
  return async ({ get }, { subjects }) => {
    for (const name of [...names, 'unknown'] as const) await get(`/tokens/${subjects[name]}${tail}`);
  };
}

/** Asks paths behind `/tokens/{mint}` of one token. */
function ofOne(name: keyof Subjects, ...tails: readonly string[]): Script {
  return async ({ get }, { subjects }) => {
    for (const tail of tails) await get(`/tokens/${subjects[name]}${tail}`);
  };
}

function all(...scripts: readonly Script[]): Script {
  return async (talk, world) => {
    for (const script of scripts) await script(talk, world);
  };
}

const KINDS = ['curve', 'graduated', 'sidePool', 'dollars', 'equity', 'unseen', 'quiet'] as const;

/** Tokens, their trades, and who trades them. */
export const TOKEN_QUESTIONS: Scripts = {
  async listTokens(talk, { subjects, clock }) {
    await talk.get('/tokens');
    await talk.pages('/tokens?limit=4', 3);
    await talk.pages('/tokens?sort=last_trade&limit=3', 2);
    for (const status of ['graduated', '1', 'bonding', '0']) await talk.get(`/tokens?status=${status}&limit=2`);
    await talk.get(`/tokens?creator=${subjects.developer}`);
    await talk.get(`/tokens?creator=${subjects.unknown}`);
    const hours = (count: number) => clock.now() - count * HOUR_MS;
    await talk.get(`/tokens?from=${hours(6)}&to=${hours(1)}&limit=2`);
    await talk.get(`/tokens?from=${new Date(hours(30)).toISOString()}&to=${Math.floor(hours(6) / 1_000)}&limit=2`);
    for (const screen of ['min_vol=1000000000', 'min_traders=20', 'quote=', 'mayhem=1', 'min_progress=99.99'])
      await talk.get(`/tokens?${screen}&limit=2`);
    await talk.pages('/tokens?sort=last_trade&min_vol=1&min_traders=2&quote=&mayhem=0&min_progress=0.5&limit=2', 2);
    await talk.get(`/tokens?from=${hours(6)}&min_traders=2&status=0&limit=2`);
    for (const refused of ['min_vol=1.5', 'min_traders=0', 'quote=SOL', 'mayhem=2', 'min_progress=101'])
      await talk.get(`/tokens?${refused}`);
    for (const query of ['sort=last_trade&limit=3', `creator=${subjects.developer}&limit=2`])
      await talk.get(`/tokens?${query}&spark=1`);
    await talk.ask('a page of the web application', { path: '/tokens?limit=1', as: 'session' });
    await talk.ask('nobody', { path: '/tokens?limit=1', as: 'nobody' });
  },

  async listTrending({ get }) {
    await get('/tokens/trending?limit=3');
    await get('/tokens/trending?limit=2&spark=1');
    await get('/tokens/trending?window=5m&limit=2', 'session');
    for (const window of ['1h', '1h30m', '26h', '168h']) await get(`/tokens/trending?window=${window}&limit=2`);
    for (const window of ['7d', '59s', '168h1s']) await get(`/tokens/trending?window=${window}`);
  },

  async listGraduating({ get }) {
    await get('/tokens/graduating?limit=3');
    await get('/tokens/graduating?limit=2&spark=1');
    await get('/tokens/graduating?sort=eta&limit=3', 'session');
    await get('/tokens/graduating?min_progress=99.99');
    for (const query of ['min_progress=100.01', 'min_progress=1e1', 'sort=progress'])
      await get(`/tokens/graduating?${query}`);
  },

  getToken: all(ofEach('', ...KINDS, 'early'), async ({ ask }, { subjects }) => {
    await ask('signed in', { path: `/tokens/${subjects.curve}`, as: 'session' });
    await ask('the operator', { path: `/tokens/${subjects.curve}`, as: 'operator' });
    await ask('a head', { method: 'HEAD', path: `/tokens/${subjects.curve}` });
  }),

  async listSwaps(talk, { subjects, clock }) {
    const { curve, graduated, sent, unknown } = subjects;
    for (const name of KINDS) await talk.get(`/tokens/${subjects[name]}/swaps?limit=2`);
    await talk.pages(`/tokens/${curve}/swaps?limit=3`, 3);
    await talk.pages(`/tokens/${graduated}/swaps?order=asc&limit=3`, 3);
    await talk.pages(`/tokens/${curve}/swaps?failed=1&limit=6`, 2);
    await talk.pages(`/tokens/${sent}/swaps?transfers=1&limit=6`, 2);
    await talk.pages(`/tokens/${sent}/swaps?order=asc&failed=1&transfers=1&limit=6`, 2);
    const time = `${new Date(clock.now() - 30 * MINUTE_MS).toISOString().slice(0, 19)}Z`;
    for (const order of ['asc', 'desc']) {
      await talk.get(`/tokens/${graduated}/swaps?order=${order}&limit=2&cursor=${encodeURIComponent(time)}`);
    }
    await talk.get(`/tokens/${unknown}/swaps`);
  },

  async listCandles({ get }, { subjects, clock }) {
    const { curve, graduated, dollars, equity, unknown } = subjects;
    for (const tf of ['1s', '5s', '30s', '1m', '5m', '15m', '1h', '4h', '1d']) {
      await get(`/tokens/${graduated}/candles?tf=${tf}&limit=4`);
    }
    for (const name of KINDS) await get(`/tokens/${subjects[name]}/candles?limit=2`);
    await get(`/tokens/${curve}/candles?tf=1m&fill=1&limit=6`);
    const from = clock.now() - 27 * HOUR_MS;
    await get(`/tokens/${curve}/candles?tf=5m&from=${from}&limit=3`);
    await get(`/tokens/${curve}/candles?tf=1h&from=${from}&to=${clock.now() - HOUR_MS}&fill=1`);
    await get(`/tokens/${dollars}/candles?quote=${USDC}&tf=1s&limit=3`);
    await get(`/tokens/${equity}/candles?quote=${USDC}&limit=3`);
    await get(`/tokens/${equity}/candles?quote=&limit=3`);
    await get(`/tokens/${unknown}/candles`);
  },

  async getTicks({ get }, { subjects }) {
    const { curve, equity, dollars, unknown } = subjects;
    type Ticks = { readonly older: string; readonly newer: string };
    const newest = await get<Ticks>(`/tokens/${curve}/ticks?limit=5`);
    const older = await get<Ticks>(`/tokens/${curve}/ticks?limit=5&before=${newest.older}`);
    await get(`/tokens/${curve}/ticks?limit=3&after=${older.newer}`);
    await get(`/tokens/${curve}/ticks?after=${newest.newer}`);
    for (const mint of [equity, dollars]) await get(`/tokens/${mint}/ticks?quote=${USDC}&limit=4`);
    for (const name of KINDS) await get(`/tokens/${subjects[name]}/ticks?limit=2`);
    await get(`/tokens/${curve}/ticks?before=${newest.older}&after=${newest.older}`);
    await get(`/tokens/${unknown}/ticks`);
  },

  getActivity: ofEach('/activity', ...KINDS),
  listHolders: all(ofEach('/holders?limit=4', ...KINDS), ofOne('curve', '/holders')),

  async batchTokens({ get }, { subjects }) {
    const { curve, graduated, dollars, unknown } = subjects;
    await get(`/tokens/batch?mints=${[dollars, unknown, curve, dollars].join()}`);
    await get(`/tokens/batch?mints=${curve}&mints=${graduated}`);
    await get(`/tokens/batch?mints=${unknown}`);
  },

  listTraders: all(
    ofEach('/traders?limit=3', ...KINDS),
    ofOne('curve', ...['realized', 'volume', 'bought', 'trades'].map((sort) => `/traders?sort=${sort}&limit=4`)),
  ),
  getHolderHistory: all(
    ofEach('/holders/history?tf=1d', ...KINDS),
    ofOne('quiet', '/holders/history', '/holders/history?tf=5m'),
  ),

  getHolderStats: ofEach('/holder-stats', ...KINDS),
  getCounters: ofEach('/counters', ...KINDS),
  getIntelligence: ofEach('/intelligence', ...KINDS),

  getLaunch: all(ofEach('/launch?limit=40', ...KINDS), ofOne('early', '/launch')),
  getLaunchRace: all(
    ofEach('/launch-race', 'quiet', 'sidePool', 'dollars', 'equity', 'unseen', 'early'),
    ofOne('early', '/launch-race?slots=1', '/launch-race?slots=61'),
  ),
  listFirstBuyers: all(ofEach('/first-buyers?limit=4', ...KINDS), ofOne('curve', '/first-buyers')),

  async getMempoolBuyers({ get }) {
    for (const days of ['', '?days=1', '?days=2', '?days=60']) await get(`/mempool-buyers${days}`);
  },
  getFundingClusters: ofEach('/funding-clusters', ...KINDS),
  async listTransfers(talk, { subjects }) {
    const path = `/tokens/${subjects.sent}/transfers`;
    await talk.pages(`${path}?limit=3`, 3);
    for (const window of ['6h', '24h', '168h']) await talk.pages(`${path}?window=${window}&limit=2`, 2);
    for (const name of [...KINDS, 'unknown'] as const) await talk.get(`/tokens/${subjects[name]}/transfers?limit=1`);
  },
  async listWalletTransfers(talk, { subjects }) {
    const path = `/wallets/${subjects.sender}/token-transfers`;
    await talk.pages(`${path}?limit=3`, 3);
    for (const direction of ['all', 'in', 'out']) await talk.get(`${path}?direction=${direction}&limit=2`);
    for (const window of ['6h', '24h', '168h']) await talk.pages(`${path}?window=${window}&limit=2`, 2);
    await talk.get(`/wallets/${subjects.unknown}/token-transfers`);
  },
  getSends: all(ofOne('sent', '/sends?w=1h', '/sends?w=24h', '/sends?w=7d'), ofEach('/sends', ...KINDS)),

  async getTokenMetadata({ ask, get }, { subjects }) {
    for (const name of [...KINDS, 'early', 'unknown'] as const) await get(`/tokens/${subjects[name]}/meta`);
    const { headers } = await ask('once more', { path: `/tokens/${subjects.curve}/meta` });
    const known = { 'if-none-match': String(headers.etag) };
    await ask('known already', { path: `/tokens/${subjects.curve}/meta`, headers: known });
    await ask('no address', { path: '/tokens/nothing/meta' });
  },
  async getTokenImage({ ask }, { subjects }) {
    const names = [...KINDS, 'early', 'unknown'] as const;
    for (const name of names) await ask(name, { path: `/tokens/${subjects[name]}/image` });
    await ask('no address', { path: '/tokens/nothing/image' });
  },

  async searchTokens({ get, ask }, { subjects: { curve, unknown } }) {
    for (const q of ['doge', 'DOGE', 'moon frog', 'МООN FRОG', 'forgo', 'doggge', '🚀', 'qzxj']) {
      await get(`/search?q=${encodeURIComponent(q)}&limit=3`);
    }
    for (const q of [curve, curve.slice(0, 5), unknown]) await get(`/search?q=${q}&limit=2`);
    for (const q of ['', 'd', '!!', 'd!']) await get(`/search?q=${encodeURIComponent(q)}`);
    await ask('a page of the web application', { path: '/search?q=doge&limit=1', as: 'session' });
  },

  async suggest({ get, ask }, { subjects: { curve, developer, sender, unknown } }) {
    for (const q of ['do', 'doge', 'pi', 'goldn', '!!', curve, developer, sender, unknown]) {
      await get(`/search/suggest?q=${encodeURIComponent(q)}`);
    }
    await ask('a page of the web application', { path: '/search/suggest?q=doge', as: 'session' });
  },

  async listTokensByName({ get }, { subjects: { curve } }) {
    const { name = '' } = await get<{ name?: string }>(`/tokens/${curve}`);
    for (const each of [name, name.toLowerCase(), ' '])
      await get(`/tokens-by-name?name=${encodeURIComponent(each)}&limit=2`);
    await get('/tokens-by-name');
  },

  async listPrices({ get }, { subjects }) {
    await get(`/prices?mints=${[...KINDS, 'unknown', 'curve'].map((name) => subjects[name as 'curve']).join()}`);
    await get(`/prices?mints=${subjects.dollars}&mints=${subjects.equity}`);
    await get('/prices');
  },
  listPools: ofEach('/pools', ...KINDS),
  getCreatorFees: ofEach('/creator-fees', ...KINDS),

  getPack: all(
    ofOne('quiet', '/pack'),
    ofEach('/pack?parts=intelligence,token,holders,counters,activity', 'dollars', 'equity', 'unseen'),
    ofOne('quiet', '/pack?parts=launch,funding_clusters'),
  ),
};

/** Asked once more of tokens that have grown by the feed since they were asked for, and of one that was made there. */
const GROWN_TOKENS: Scripts = Object.fromEntries(
  [
    ['getToken', ''],
    ['listSwaps', '/swaps?limit=4&failed=1&transfers=1'],
    ['listCandles', '/candles?limit=3'],
    ['getTicks', '/ticks?limit=4'],
    ['getActivity', '/activity'],
    ['listHolders', '/holders?limit=3'],
    ['listTraders', '/traders?limit=3'],
    ['getHolderHistory', '/holders/history?tf=1d'],
    ['getHolderStats', '/holder-stats'],
    ['getCounters', '/counters'],
    ['getIntelligence', '/intelligence'],
    ['getLaunch', '/launch?limit=20'],
    ['getLaunchRace', '/launch-race?slots=10'],
    ['listFirstBuyers', '/first-buyers?limit=3'],
    ['getFundingClusters', '/funding-clusters'],
    ['listTransfers', '/transfers?limit=2'],
    ['getSends', '/sends?w=1h'],
    ['getTokenMetadata', '/meta'],
    ['listPools', '/pools'],
    ['getCreatorFees', '/creator-fees'],
    ['getPack', '/pack?parts=token,swaps,candles'],
  ].map(([name, tail]): [string, Script] => [name!, ofEach(tail!, 'fed', 'newborn', 'graduated')]),
);

/** Questions that are asked once more when blocks have come by the feed. */
export const GROWN_QUESTIONS: Scripts = {
  async listTokens(talk) {
    await talk.pages('/tokens?limit=3', 2);
    await talk.pages('/tokens?sort=last_trade&limit=3', 2);
    await talk.get('/tokens?status=graduated&limit=2');
    await talk.get('/tokens?sort=last_trade&min_vol=1&min_traders=2&limit=3&spark=1');
  },
  ...GROWN_TOKENS,
  async batchTokens({ get }, { subjects: { fed, newborn, unknown } }) {
    await get(`/tokens/batch?mints=${[newborn, unknown, fed].join()}`);
  },
  async listTrending({ get }) {
    await get('/tokens/trending?window=5m&limit=3');
    await get('/tokens/trending?window=2h&limit=3');
  },
  async listGraduating({ get }) {
    await get('/tokens/graduating?limit=4');
  },
  async searchTokens({ get }, { subjects: { newborn } }) {
    for (const q of ['doge', newborn]) await get(`/search?q=${q}&limit=3`);
  },
  async suggest({ get }, { subjects: { newborn, comer } }) {
    for (const q of ['do', newborn, comer]) await get(`/search/suggest?q=${q}`);
  },
  async listPrices({ get }, { subjects: { fed, newborn, unknown } }) {
    await get(`/prices?mints=${[newborn, unknown, fed].join()}`);
  },
  async listWalletTransfers({ get }, { subjects }) {
    await get(`/wallets/${subjects.sender}/token-transfers?limit=2`);
  },
  async getMempoolBuyers({ get }) {
    await get('/mempool-buyers?days=2');
  },
  ...GROWN_DISCOVERY,
  async getStats({ get }) {
    await get('/stats');
  },
  async getSolPrice({ get }) {
    await get('/sol-price', 'nobody');
  },
  async getSolPriceHistory({ get }) {
    await get('/sol-price/history?step=1m');
    await get('/sol-price/history?step=1d&to=2026-01-01T00:00:00Z');
  },
};
