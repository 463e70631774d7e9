import type { ErrorCode } from '../../src/contract/errors.ts';
import type { Access, RouteContract } from '../../src/contract/route.ts';
import type { Random } from '../../src/simulator/random.ts';
import type { WorldAccount, WorldKey } from './world.ts';

/** Kinds of callers. */
export type CallerKind =
  | 'stranger'
  | 'wrong-key'
  | 'revoked-key'
  | 'suspended-key'
  | 'lost-key'
  | 'suspended'
  | 'banned'
  | 'not-ready'
  | 'exhausted'
  | 'poor'
  | 'payer'
  | 'operator'
  | 'owner-key'
  | 'session'
  | 'ended-session'
  | 'foreign-page'
  | 'page-session';

/** One caller with what it sends along, and where it asks from. */
export interface Caller {
  readonly kind: CallerKind;
  readonly name: string;
  /** The account of the credentials; undefined for strangers. */
  readonly account: WorldAccount | undefined;
  readonly keys: readonly WorldKey[];
  /** Value of Cookie. */
  readonly cookie: string | undefined;
  /** Sent with every request. */
  readonly headers: readonly (readonly [string, string])[];
  /** Loopback address that it asks from; undefined for any. */
  readonly address: string | undefined;
}

/** Errors that refuse each caller, wherever it is refused. */
const REFUSALS: Readonly<Partial<Record<CallerKind, readonly ErrorCode[]>>> = {
  stranger: ['missing_api_key', 'session_required'],
  'wrong-key': ['missing_api_key', 'session_required', 'invalid_api_key'],
  'revoked-key': ['api_key_revoked', 'session_required'],
  'suspended-key': ['api_key_suspended', 'session_required'],
  'lost-key': ['api_key_suspended', 'api_key_revoked'],
  suspended: ['account_suspended', 'session_required'],
  banned: ['account_banned', 'session_required'],
  'not-ready': ['account_not_ready', 'session_required'],
  'ended-session': ['missing_api_key', 'session_required'],
  'page-session': ['missing_api_key', 'session_required', 'cross_origin'],
  'foreign-page': ['missing_api_key', 'session_required', 'cross_origin'],
  operator: ['owner_required', 'session_required'],
};
const KEY_ALONE: readonly ErrorCode[] = ['session_required'];
const SESSION_ALONE: readonly ErrorCode[] = ['missing_api_key'];

const WITH_KEY: readonly CallerKind[] = ['exhausted', 'poor', 'payer', 'operator', 'owner-key'];

/** True when the route is for this caller at all: the specification's rules of access, in a few lines. */
export function mayCall(kind: CallerKind, route: Pick<RouteContract, 'access' | 'pages' | 'method'>): boolean {
  const { access, pages, method } = route;
  if (access === 'public') return true;
  if (kind === 'session') return access !== 'key' || pages;
  // A page of another origin: what only reads is the browser's to keep from it.
  if (kind === 'foreign-page') return method === 'GET' && access !== 'key';
  if (kind === 'page-session') return access === 'key' && pages;
  if (!WITH_KEY.includes(kind)) return false;
  return KEY_ACCESS[access] && (access !== 'owner' || kind !== 'operator');
}

const KEY_ACCESS: Readonly<Record<Access, boolean>> = {
  public: true,
  key: true,
  account: true,
  owner: true,
  session: false,
};

/** Errors that refuse a caller on routes that are not for it. */
export function refusalsOf(kind: CallerKind): readonly ErrorCode[] {
  return REFUSALS[kind] ?? (kind === 'session' ? SESSION_ALONE : KEY_ALONE);
}

/** Headers in which the caller says who it is. */
export function credentials(caller: Caller, random: Random): readonly (readonly [string, string])[] {
  const sent = [...caller.headers];
  if (caller.cookie !== undefined) sent.push(['Cookie', caller.cookie]);
  if (caller.keys.length > 0) sent.push(['X-API-Key', random.pick(caller.keys).text]);
  return sent;
}
