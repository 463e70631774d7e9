import { createWallet } from '../support/wallets.ts';
import { secretOf } from './golden-people.ts';
import type { Script, Scripts } from './questions.ts';
import type { Talk } from './talk.ts';

const WALLETS = ['one', 'two', 'three'].map((name) => createWallet(secretOf(name)).address);
const [ONE, TWO, THREE] = WALLETS as [string, string, string];
const LIMIT_OF_PLAN = 3;
const NOBODYS = 404;

/** Asks questions that only bring something about, and are not written down. */
function prepare(talk: Talk) {
  return async (method: 'POST' | 'PUT', path: string, body: object) => {
    const answer = await talk.ask('', { method, path, body, unrecorded: true });
    if (answer.statusCode !== 200) throw new Error(`${method} ${path}: ${answer.body}`);
    return answer.json<{ id: number | string }>();
  };
}

/** Two groups, the first with wallets. */
async function makeGroups(talk: Talk): Promise<void> {
  const send = prepare(talk);
  await send('POST', '/wallet-groups', { name: 'Sharks', id: 'sharks' });
  await send('POST', '/wallet-groups', { name: 'Nobody yet', id: 'empty' });
  await send('POST', '/wallet-groups/sharks/wallets', { wallets: [ONE, TWO] });
  await send('POST', '/wallet-groups/sharks/wallets', { wallet: THREE, note: 'bought "first" — twice' });
}

async function makeStream(talk: Talk): Promise<number> {
  const body = { name: 'Sharks', kinds: ['swaps', 'grad'], wallet_list_id: 'sharks', min_sol: '5000000000' };
  return Number((await prepare(talk)('POST', '/ws-subscriptions', body)).id);
}

/** Behind groups that are there. */
const withGroups =
  (script: Script): Script =>
  async (talk, world) => {
    await makeGroups(talk);
    await script(talk, world);
  };

/** Groups of wallets and favorites. */
const WALLET_QUESTIONS: Scripts = {
  listWalletGroups: async (talk) => {
    await talk.get('/wallet-groups');
    await makeGroups(talk);
    await talk.get('/wallet-groups');
    await talk.get('/wallet-groups?members=1', 'session');
    await talk.get('/wallet-groups', 'operator');
  },
  async createWalletGroup({ ask }) {
    const create = (title: string, body: object) => ask(title, { method: 'POST', path: '/wallet-groups', body });
    await create('with an id', { name: 'Sharks', id: 'sharks' });
    await create('without one', { name: '  Whales  ' });
    await create('twice', { name: 'Sharks', id: 'sharks' });
    await create('without a name', { id: 'x' });
    await ask('signed in', { method: 'POST', path: '/wallet-groups', as: 'session', body: { name: 'Third' } });
  },
  getWalletGroup: withGroups(async ({ get }) => {
    for (const id of ['sharks', 'empty', 'nobodys']) await get(`/wallet-groups/${id}`);
  }),
  renameWalletGroup: withGroups(async ({ ask, get }) => {
    await ask('renamed', { method: 'PUT', path: '/wallet-groups/sharks', body: { name: 'Minnows' } });
    await get('/wallet-groups/sharks');
    await ask('nobody’s', { method: 'PUT', path: '/wallet-groups/nobodys', body: { name: 'x' } });
  }),
  deleteWalletGroup: withGroups(async ({ ask, get }) => {
    await ask('gone', { method: 'DELETE', path: '/wallet-groups/sharks' });
    await ask('again', { method: 'DELETE', path: '/wallet-groups/sharks' });
    await get('/wallet-groups');
  }),
  addGroupWallets: withGroups(async ({ ask, get }) => {
    const add = (title: string, body: object, id = 'empty') =>
      ask(title, { method: 'POST', path: `/wallet-groups/${id}/wallets`, body });
    await add('two', { wallets: [ONE, TWO, ONE] });
    await add('one, with a note', { wallet: THREE, note: 'note' });
    await add('known ones', { wallets: WALLETS });
    await add('both ways at once', { wallets: [ONE], wallet: TWO });
    await add('none', {});
    await add('nobody’s', { wallet: ONE }, 'nobodys');
    await get('/wallet-groups/empty');
  }),
  removeGroupWallet: withGroups(async ({ ask, get }) => {
    await ask('out', { method: 'DELETE', path: `/wallet-groups/sharks/wallets/${TWO}` });
    await ask('again', { method: 'DELETE', path: `/wallet-groups/sharks/wallets/${TWO}` });
    await ask('nobody’s', { method: 'DELETE', path: `/wallet-groups/nobodys/wallets/${TWO}` });
    await get('/wallet-groups/sharks');
  }),
  async listWalletFavorites(talk) {
    await talk.get('/wallet-favorites');
    const send = prepare(talk);
    await send('POST', '/wallet-favorites', { wallet: TWO, alias: 'the second' });
    await send('POST', '/wallet-favorites', { wallet: ONE });
    await talk.get('/wallet-favorites');
    await talk.get('/wallet-favorites', 'nobody');
  },
  async addWalletFavorite({ ask, get }) {
    const add = (title: string, body: object) => ask(title, { method: 'POST', path: '/wallet-favorites', body });
    await add('plain', { wallet: ONE });
    await add('named', { wallet: ONE, alias: 'first' });
    await add('no longer named', { wallet: ONE, alias: '' });
    await add('no wallet', { wallet: 'x' });
    await get('/wallet-favorites');
  },
  async removeWalletFavorite(talk) {
    await prepare(talk)('POST', '/wallet-favorites', { wallet: ONE });
    await talk.ask('off', { method: 'DELETE', path: `/wallet-favorites/${ONE}` });
    await talk.ask('again', { method: 'DELETE', path: `/wallet-favorites/${ONE}` });
    await talk.get('/wallet-favorites');
  },
};

/** Streams, which take their wallets from groups. */
const STREAM_QUESTIONS: Scripts = {
  listStreams: withGroups(async (talk) => {
    await talk.get('/ws-subscriptions');
    await makeStream(talk);
    await prepare(talk)('POST', '/ws-subscriptions', { name: 'New ones', kinds: ['creations'] });
    await talk.get('/ws-subscriptions');
    await talk.get('/ws-subscriptions', 'session');
  }),
  createStream: withGroups(async (talk) => {
    const create = (title: string, body: object) =>
      talk.ask(title, { method: 'POST', path: '/ws-subscriptions', body });
    await create('of a group', { name: 'Sharks', kinds: ['swaps', 'feed'], wallet_list_id: 'sharks' });
    await create('of developers', { name: 'Devs', kinds: ['creations'], dev_list_id: 'sharks', min_sol: '100000000' });
    await create('without its list', { name: 'x', kinds: ['swaps'] });
    await create('of nobody’s list', { name: 'x', kinds: ['swaps'], wallet_list_id: 'nobodys' });
    await create('of nobody’s developers', { name: 'x', kinds: ['creations'], dev_list_id: 'nobodys' });
    await create('of a kind that is none', { name: 'x', kinds: ['everything'] });
    for (let made = 2; made <= LIMIT_OF_PLAN; made += 1)
      await create(`another ${made}`, { name: 'x', kinds: ['grad'] });
  }),
  updateStream: withGroups(async (talk) => {
    const path = `/ws-subscriptions/${await makeStream(talk)}`;
    const update = (title: string, body: object) => talk.ask(title, { method: 'PUT', path, body });
    await update('another name and kind', { name: 'Sharks and more', kinds: ['swaps', 'creations'] });
    await update('lists read again', {});
    await update('off', { active: false });
    await update('on', { active: true, dev_list_id: 'sharks' });
    await update('without its list', { wallet_list_id: null });
    await talk.ask('nobody’s', { method: 'PUT', path: `/ws-subscriptions/${NOBODYS}`, body: {} });
  }),
  rotateStream: withGroups(async (talk) => {
    const path = `/ws-subscriptions/${await makeStream(talk)}/rotate`;
    await talk.ask('another token', { method: 'POST', path });
    await talk.ask('nobody’s', { method: 'POST', path: `/ws-subscriptions/${NOBODYS}/rotate` });
  }),
  deleteStream: withGroups(async (talk) => {
    const path = `/ws-subscriptions/${await makeStream(talk)}`;
    await talk.ask('gone', { method: 'DELETE', path });
    await talk.ask('again', { method: 'DELETE', path });
    await talk.get('/ws-subscriptions');
  }),
};

/** Questions about a wallet's own lists. */
export const LIST_QUESTIONS: Scripts = { ...WALLET_QUESTIONS, ...STREAM_QUESTIONS };
