import { createWallet } from '../support/wallets.ts';
import { secretOf } from './golden-people.ts';
import type { GoldenWorld } from './golden-world.ts';
import type { Script, Scripts } from './questions.ts';
import type { Question, Talk } from './talk.ts';

interface Key {
  readonly id: number;
  readonly key: string;
}

const NOBODYS_KEY = 404;
const NOBODYS_CONNECTION = '00000000-0000-4000-8000-000000000404';
const RATE = { rps: 5, burst: 9 };

/** Signed in. */
const own = (method: NonNullable<Question['method']>, path: string, body?: unknown): Question => {
  return { method, path, as: 'session', ...(body === undefined ? {} : { body }) };
};

async function makeKey({ ask }: Talk, name: string, settings: object = {}): Promise<Key> {
  const answer = await ask('', { ...own('POST', '/account/keys', { name, ...settings }), unrecorded: true });
  return answer.json<Key>();
}

function openConnection({ person }: Talk, { accounts }: GoldenWorld): string {
  const { accountId, keyId, poolId, wallet } = person;
  const principal = { id: keyId, name: 'first', accountId, wallet: wallet.address, poolId, plan: 'pro', rate: RATE };
  const connection = accounts.connections.open({
    principal: { ...principal, accountState: 'active', state: 'active' },
    keyHash: Buffer.alloc(32, 1),
    address: '203.0.113.9',
    stream: undefined,
    topics: () => ['swaps', 'feed'],
    close: () => connection.closed(),
  });
  return connection.id;
}

/** Some calls that cost something. */
const spend: Script = async ({ ask }, { subjects }) => {
  for (const tail of ['', '/swaps', '/swaps', '/launch']) {
    await ask('', { path: `/tokens/${subjects.curve}${tail}`, unrecorded: true });
  }
};

/** Accounts, their keys, and what is left of their credits. */
export const ACCOUNT_QUESTIONS: Scripts = {
  async getAccount({ get }) {
    for (const caller of ['key', 'session', 'operator', 'nobody'] as const) await get('/account', caller);
  },
  async listKeys(talk) {
    await talk.get('/account/keys', 'session');
    const gone = await makeKey(talk, 'gone');
    await makeKey(talk, 'with a budget', { budget: 500, rate_limit: RATE });
    await talk.ask('', { ...own('DELETE', `/account/keys/${gone.id}`), unrecorded: true });
    await talk.get('/account/keys', 'session');
    await talk.get('/account/keys', 'key');
  },
  async createKey(talk) {
    const { ask } = talk;
    const create = (title: string, body: unknown) => ask(title, own('POST', '/account/keys', body));
    await create('by its name', { name: 'second' });
    await create('with a budget and a rate', { name: 'third', budget: 1_000, rate_limit: RATE });
    await create('without a name', {});
    await create('with more than there is', { name: 'dear', budget: 999_999_999 });
    for (let made = 3; made < 10; made += 1) await makeKey(talk, `number ${made}`);
    await create('one too many', { name: 'eleventh' });
  },
  async changeKey(talk) {
    const { id } = await makeKey(talk, 'second');
    const change = (title: string, body: unknown) => talk.ask(title, own('PUT', `/account/keys/${id}`, body));
    await change('another name', { name: 'renamed' });
    await change('a budget', { budget: 2_000 });
    await change('no budget', { budget: null });
    await change('off', { active: false });
    await change('on', { active: true });
    await change('a budget beyond what there is', { budget: 999_999_999 });
    await change('nothing', {});
    await talk.ask('nobody’s', own('PUT', `/account/keys/${NOBODYS_KEY}`, { name: 'x' }));
  },
  async rotateKey(talk) {
    const { id, key } = await makeKey(talk, 'second', { budget: 300 });
    await talk.ask('another text', own('POST', `/account/keys/${id}/rotate`));
    await talk.ask('the text of before', { path: '/account', as: 'nobody', headers: { 'x-api-key': key } });
    await talk.ask('nobody’s', own('POST', `/account/keys/${NOBODYS_KEY}/rotate`));
  },
  async revokeKey(talk) {
    const { id, key } = await makeKey(talk, 'second', { budget: 300 });
    await talk.ask('for good', own('DELETE', `/account/keys/${id}`));
    await talk.ask('its text', { path: '/account', as: 'nobody', headers: { 'x-api-key': key } });
    await talk.ask('again', own('DELETE', `/account/keys/${id}`));
    await talk.ask('nobody’s', own('DELETE', `/account/keys/${NOBODYS_KEY}`));
  },
  async listConnections(talk, world) {
    await talk.get('/account/connections', 'session');
    openConnection(talk, world);
    openConnection(talk, world);
    await talk.get('/account/connections', 'session');
  },
  async closeConnection(talk, world) {
    const id = openConnection(talk, world);
    await talk.ask('an open one', own('DELETE', `/account/connections/${id}`));
    await talk.ask('again', own('DELETE', `/account/connections/${id}`));
    await talk.ask('nobody’s', own('DELETE', `/account/connections/${NOBODYS_CONNECTION}`));
  },
  async getBalance(talk, world) {
    await talk.get('/account/balance');
    await spend(talk, world);
    const { key } = await makeKey(talk, 'second', { budget: 5_000 });
    for (const caller of ['key', 'session', 'operator'] as const) await talk.get('/account/balance', caller);
    const headers = { 'x-api-key': key };
    await talk.ask('a key with a budget', { path: '/account/balance', as: 'nobody', headers });
  },
  async listUsage(talk, world) {
    await talk.get('/account/usage');
    await spend(talk, world);
    for (const by of ['route', 'key', 'hour']) await talk.get(`/account/usage?by=${by}`);
    for (const window of ['7d', '30d']) await talk.get(`/account/usage?window=${window}`, 'session');
  },
};

/** Signing in, and out. */
export const AUTH_QUESTIONS: Scripts = {
  async createNonce({ ask, person }) {
    const nonce = (title: string, body: unknown, headers = {}) =>
      ask(title, { method: 'POST', path: '/auth/nonce', as: 'page', body, headers });
    await nonce('a message', { wallet: person.wallet.address });
    await nonce('no wallet', { wallet: 'x' });
    await nonce('from another site', { wallet: person.wallet.address }, { 'sec-fetch-site': 'cross-site' });
  },
  async verifySignIn({ ask }) {
    const wallet = createWallet(secretOf('somebody new'));
    const other = createWallet(secretOf('somebody else'));
    const send = (title: string, body: object) =>
      ask(title, { method: 'POST', path: '/auth/verify', as: 'page', body });
    const issue = async () => {
      const body = { wallet: wallet.address };
      const answer = await ask('', { method: 'POST', path: '/auth/nonce', as: 'page', body, unrecorded: true });
      return answer.json<{ message: string }>().message;
    };
    // The signed message holds a nonce: it is sent without being written down.
    const sign = async (title: string, by = wallet) => {
      const message = await issue();
      return { title, body: { wallet: wallet.address, message, signature: by.sign(message) } };
    };
    for (const { title, body } of [
      await sign('for the first time'),
      await sign('again'),
      await sign('with the signature of another', other),
    ]) {
      await send(title, body);
      await send(`${title}, once more`, body);
    }
    await send('no such message', { wallet: wallet.address, message: 'a message', signature: '1'.repeat(64) });
  },
  async logOut({ ask }) {
    await ask('out', own('POST', '/auth/logout'));
    await ask('again', own('POST', '/auth/logout'));
    await ask('in no session', { method: 'POST', path: '/auth/logout', as: 'page' });
  },
  async openPageSession({ ask }, { subjects }) {
    const open = { method: 'POST', path: '/auth/page-session' } as const;
    const { headers } = await ask('of our own pages', { ...open, as: 'page' });
    const cookie = String(headers['set-cookie']).split(';', 1)[0]!;
    await ask('read in it', { path: `/tokens/${subjects.quiet}/activity`, as: 'page', headers: { cookie } });
    await ask('what pages do not read', {
      path: `/tokens/${subjects.quiet}/first-buyers`,
      as: 'page',
      headers: { cookie },
    });
    await ask('of another site', { ...open, as: 'nobody', headers: { 'sec-fetch-site': 'cross-site' } });
    await ask('of no browser', { ...open, as: 'nobody' });
  },
};
