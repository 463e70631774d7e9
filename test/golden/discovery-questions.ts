import { HISTORY_METRICS } from '../../src/features/ecosystem/contract-limits.ts';
import { createWallet } from '../support/wallets.ts';
import { secretOf } from './golden-people.ts';
import type { Script, Scripts } from './questions.ts';

/** Some tokens and wallets, some of which know each other. */
const cross: Script = async ({ get }, { subjects }) => {
  const { fed, newborn, graduated, unknown, sender, developer, comer } = subjects;
  await get(`/cross?mints=${[fed, newborn, graduated, unknown]}&wallets=${[sender, developer, comer, unknown]}`);
};

/** Questions about lists over all tokens. */
export const DISCOVERY_QUESTIONS: Scripts = {
  async crossCheck(talk, world) {
    await cross(talk, world);
    const { fed, sender } = world.subjects;
    await talk.get(`/cross?mints=${fed}&mints=${fed}&wallets=${sender}`);
    await talk.get(`/cross?mints=${fed}`);
    const many = Array.from({ length: 101 }, (_, number) => createWallet(secretOf(`pair ${number}`)).address);
    await talk.get(`/cross?mints=${many}&wallets=${sender}`);
    await talk.get(`/cross?mints=${many.slice(0, 51)}&wallets=${many.slice(0, 50)}`);
  },
  async listTrendingNames({ get }) {
    await get('/trending-names');
    await get('/trending-names?window=1m');
    await get('/trending-names?window=1h30m&limit=2', 'session');
    for (const window of ['7d', '30s', '169h']) await get(`/trending-names?window=${window}`);
  },
  async listTweetTokens({ get }) {
    await get('/tweet-tokens?limit=5');
    await get('/tweet-tokens?limit=1', 'session');
  },
  async listEvents({ get }) {
    await get('/events?limit=5');
    await get('/events?min_sol=100000000&limit=3');
    await get('/events?min_sol=18446744073709551615&limit=3', 'session');
    await get('/events?min_sol=99999999');
  },
  async launchpadDay({ get }) {
    await get('/launchpad-24h');
    await get('/launchpad-24h', 'session');
  },
  async ecosystem({ get }) {
    await get('/ecosystem');
    await get('/ecosystem?window=168h', 'session');
    for (const window of ['24h', '7d', '6h']) await get(`/ecosystem?window=${window}`);
  },
  async ecosystemHistory({ get }) {
    for (const metric of HISTORY_METRICS) await get(`/ecosystem/history?metric=${metric}`);
    await get('/ecosystem/history?metric=trades&step=1d', 'session');
    await get('/ecosystem/history?metric=trades&from=1970-01-01T00:00:00Z');
    await get('/ecosystem/history');
  },
  async listRouters({ get }) {
    await get('/routers');
    await get('/routers?window=60m&venue=0', 'session');
    for (const query of ['window=5m', 'window=24h', 'window=7d&venue=1', 'venue=2', 'window=4h', 'venue=3'])
      await get(`/routers?${query}`);
  },
  async tipMarket({ get }) {
    await get('/tip-market?provider=jito');
    await get('/tip-market?window=5m', 'session');
    for (const query of ['window=24h', 'window=168h', 'window=30m', 'provider=nobody'])
      await get(`/tip-market?${query}`);
  },
  async landingConditions({ get }) {
    await get('/landing-conditions');
    await get('/landing-conditions?window=24h', 'session');
    for (const venue of [1, 2]) await get(`/landing-conditions?window=5m&venue=${venue}`);
    for (const query of ['window=7d', 'window=2h', 'venue=3', 'venue=curve']) await get(`/landing-conditions?${query}`);
  },
  async getLeaders({ get }) {
    await get('/leaders?past=6&future=8');
    await get('/leaders?past=1&future=4', 'session');
    for (const query of ['past=0', 'past=401', 'future=3', 'future=1601']) await get(`/leaders?${query}`);
  },
  async getDistribution({ get, ask }) {
    for (const by of ['city', 'country', 'datacenter', 'client']) await get(`/leaders/distribution?by=${by}`);
    await get('/leaders/distribution?by=country', 'session');
    await get('/leaders/distribution?by=asn');
    const { headers } = await ask('a distribution', { path: '/leaders/distribution' });
    const known = { 'if-none-match': String(headers.etag) };
    await ask('known already', { path: '/leaders/distribution', headers: known });
  },
  async listEquities({ ask }) {
    const { headers } = await ask('all of them', { path: '/equities' });
    await ask('known already', { path: '/equities', headers: { 'if-none-match': String(headers.etag) } });
  },
  async getEquity({ get }, { subjects }) {
    const { equity, dollars, unknown } = subjects;
    await get(`/equities/${equity}`);
    await get(`/equities/${equity}`, 'session');
    for (const mint of [dollars, unknown, 'nonsense']) await get(`/equities/${mint}`);
  },
  async tipsByProvider({ get }) {
    await get('/tips/by-provider');
    await get('/tips/by-provider?window=60m', 'session');
    for (const window of ['5m', '30m', '4h', '24h', '7d', '2h']) await get(`/tips/by-provider?window=${window}`);
  },
};

/** The same, once more when blocks have come by the feed. */
export const GROWN_DISCOVERY: Scripts = {
  crossCheck: cross,
  async listTrendingNames({ get }) {
    await get('/trending-names?window=1h&limit=4');
  },
  async listTweetTokens({ get }) {
    await get('/tweet-tokens?limit=3');
  },
  async listEvents({ get }) {
    await get('/events?limit=6');
    await get('/events?min_sol=100000000&limit=6');
  },
  async launchpadDay({ get }) {
    await get('/launchpad-24h');
  },
  async ecosystem({ get }) {
    await get('/ecosystem');
  },
  async ecosystemHistory({ get }) {
    await get('/ecosystem/history?metric=volume');
  },
  async listRouters({ get }) {
    await get('/routers?window=5m');
  },
  async tipMarket({ get }) {
    await get('/tip-market?window=5m');
  },
  async landingConditions({ get }) {
    await get('/landing-conditions?window=5m');
  },
  async getLeaders({ get }) {
    await get('/leaders?past=6&future=8');
  },
  async getEquity({ get }, { subjects }) {
    await get(`/equities/${subjects.equity}`);
  },
  async tipsByProvider({ get }) {
    await get('/tips/by-provider?window=5m');
  },
};
