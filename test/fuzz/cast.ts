import { createApiKey } from '../../src/accounts/keys/api-key.ts';
import type { Random } from '../../src/simulator/random.ts';
import type { Caller, CallerKind } from './caller.ts';
import type { World, WorldAccount, WorldKey } from './world.ts';

/** Sessions that were opened over HTTP for the run. */
export interface Sessions {
  /** By account id: the cookie, and the address that it was opened from. */
  readonly owners: ReadonlyMap<number, string>;
  /** Signed out: worth nothing any more. */
  readonly ended: readonly string[];
  readonly pages: readonly { readonly cookie: string; readonly address: string }[];
}

/** Everybody who asks. Each list is drawn from by itself, so that few of many are not drowned. */
export interface Cast {
  /** May do nothing, or not what they ask. */
  readonly unauthorised: readonly Caller[];
  /** May read and change what is theirs. */
  readonly entitled: readonly Caller[];
}

const WRONG_KEYS = 20;
const OTHER_ORIGIN: readonly (readonly [string, string])[] = [
  ['Origin', 'https://elsewhere.example'],
  ['Sec-Fetch-Site', 'cross-site'],
];
const OWN_ORIGIN: readonly (readonly [string, string])[] = [['Sec-Fetch-Site', 'same-origin']];
/** Texts that a header can carry and no key can be. */
const HOSTILE_KEYS: readonly string[] = [
  '',
  'ms_live_',
  'x',
  '__proto__',
  "' OR 1=1 --",
  '\xff\xfe\xfd',
  'ms_live_'.repeat(200),
  'undefined, null',
  'Bearer x',
];

export function assembleCast(world: World, sessions: Sessions, random: Random): Cast {
  const { lamed } = world;
  const inState = (state: WorldKey['state']) => lamed.keys.filter((key) => key.state === state);
  const wrong = [
    ...Array.from({ length: WRONG_KEYS }, () => createApiKey(random.bytes(32))),
    ...lamed.keys.map(({ text }) => `${text.slice(0, -1)}${text.endsWith('x') ? 'y' : 'x'}`),
    ...HOSTILE_KEYS,
  ];
  const unauthorised = [
    caller('stranger', {}),
    caller('wrong-key', { keys: wrong.map((text) => ({ id: -1, text, state: 'active' })) }),
    caller('revoked-key', { account: lamed, keys: inState('revoked') }),
    caller('suspended-key', { account: lamed, keys: inState('suspended') }),
    keyCaller('suspended', world.suspended),
    keyCaller('banned', world.banned),
    keyCaller('not-ready', world.notReady),
    keyCaller('exhausted', world.exhausted),
    ...sessions.ended.map((cookie) => caller('ended-session', { cookie })),
    ...sessions.pages.map((page) => caller('page-session', { ...page, headers: OWN_ORIGIN })),
    ...sessionsOf(world.owners, sessions, 'foreign-page', OTHER_ORIGIN),
  ];
  const entitled = [
    ...world.payers.map((account) => keyCaller('payer', account)),
    keyCaller('operator', world.operator),
    keyCaller('poor', world.poor),
    ...world.owners.map((account) => keyCaller('owner-key', account)),
    ...sessionsOf(world.owners, sessions, 'session', OWN_ORIGIN),
  ];
  return { unauthorised, entitled };
}

function sessionsOf(
  accounts: readonly WorldAccount[],
  { owners }: Sessions,
  kind: CallerKind,
  headers: Caller['headers'],
): Caller[] {
  return accounts.flatMap((account) => {
    const cookie = owners.get(account.id);
    return cookie === undefined ? [] : [caller(kind, { account, cookie, headers })];
  });
}

/** Somebody with all the keys of an account. */
export function keyCaller(kind: CallerKind, account: WorldAccount): Caller {
  return caller(kind, { account, keys: account.keys });
}

function caller(kind: CallerKind, known: Partial<Caller>): Caller {
  const name = known.account === undefined ? kind : `${kind} of account ${known.account.id}`;
  return { kind, name, account: undefined, keys: [], cookie: undefined, headers: [], address: undefined, ...known };
}
