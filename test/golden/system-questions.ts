import type { Scripts } from './questions.ts';

/** Questions about the service's health and its prices. */
export const SYSTEM_QUESTIONS: Scripts = {
  async getHealth({ get, ask }) {
    await get('/health', 'nobody');
    await ask('a head', { method: 'HEAD', path: '/health', as: 'nobody' });
  },
  async getStats({ get }) {
    await get('/stats');
    await get('/stats', 'session');
  },
  async getCosts({ ask }) {
    const { headers } = await ask('the table', { path: '/credits/costs', as: 'nobody' });
    const known = { 'if-none-match': String(headers.etag) };
    await ask('known already', { path: '/credits/costs', as: 'nobody', headers: known });
  },
  async getSolPrice({ get }) {
    await get('/sol-price', 'nobody');
  },
  async getSolPriceHistory({ get }) {
    await get('/sol-price/history?step=1m');
    await get('/sol-price/history?step=1d&to=2026-01-01T00:00:00Z');
  },
};

/** Questions to paths that are no route, and by methods that no route has. */
export const OUTSIDE_QUESTIONS: Scripts = {
  async 'outside the contract'({ ask }) {
    const nobody = { as: 'nobody' } as const;
    const problem = { accept: 'application/problem+json' };
    await ask('no route', { path: '/nothing', ...nobody });
    await ask('no route, for a reader of problems', { path: '/nothing', ...nobody, headers: problem });
    await ask('a refusal, for a reader of problems', { path: '/tokens?limit=0', headers: problem });
    await ask('no method of the path', { method: 'PATCH', path: '/tokens' });
    await ask('no method of a list', { method: 'PUT', path: '/wallet-groups', body: {} });
    await ask('a preflight', {
      method: 'OPTIONS',
      path: '/tokens',
      ...nobody,
      headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'GET' },
    });
    await ask('options', { method: 'OPTIONS', path: '/tokens', ...nobody });
    await ask('a slash behind', { path: '/health/', ...nobody });
    await ask('a path that is not UTF-8', { path: '/tokens/%ff', ...nobody });
    await ask('a parameter too long', { path: `/tokens/${'1'.repeat(300)}` });
    await ask('a head of nothing', { method: 'HEAD', path: '/nothing', ...nobody });
  },
};
