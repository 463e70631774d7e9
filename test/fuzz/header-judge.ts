import { API_VERSION } from '../../src/contract/headers.ts';
import type { WireAnswer } from './answer-reader.ts';
import { mayCall } from './caller.ts';
import type { FuzzRequest } from './fuzz-request.ts';

/** Headers that every answer carries, and the form of each. */
const EVERY_ANSWER: Readonly<Record<string, RegExp>> = {
  'x-request-id': /^[0-9A-HJKMNP-TV-Z]{26}$/,
  'x-api-version': new RegExp(`^${API_VERSION}$`),
  'cache-control': /^(no-store|no-cache|(private|public), max-age=\d+(, immutable)?)$/,
  'x-content-type-options': /^nosniff$/,
  'content-security-policy': /default-src 'none'/,
  'referrer-policy': /^no-referrer$/,
  date: /GMT$/,
};
/** Headers of limits: of a key's own, or on routes of lists of the account's, whichever leaves less. */
const OF_KEYS = limitsOf('key');
const OF_KEYS_ON_LISTS = limitsOf('(key|account)');
/** Headers that may be sent more than once. */
const REPEATABLE: readonly string[] = ['set-cookie', 'vary'];
/** Headers that name the software, which helps nobody but strangers. */
const TELLTALE: readonly string[] = ['server', 'x-powered-by', 'via'];
const NO_CREDENTIALS = 'access-control-allow-credentials';

/** Returns what is wrong with the headers of an answer. */
export function headerFault(request: FuzzRequest, { status, headers }: WireAnswer): string | undefined {
  for (const [name, values] of headers) {
    if (values.length > 1 && !REPEATABLE.includes(name)) return `${name} is sent ${values.length} times`;
    if (TELLTALE.includes(name)) return `${name}: ${values[0]}`;
  }
  if (headers.has(NO_CREDENTIALS)) return 'other origins may send credentials';
  if (request.method === 'OPTIONS') return undefined;
  const fault = missing(headers, EVERY_ANSWER);
  if (fault !== undefined) return fault;
  const { caller, route, meets } = request;
  const isLimited = meets === 'route' && caller.keys.length > 0 && route.access !== 'public';
  return isLimited && mayCall(caller.kind, route) && status !== 431
    ? missing(headers, route.access === 'owner' ? OF_KEYS_ON_LISTS : OF_KEYS)
    : undefined;
}

function limitsOf(owner: string): Readonly<Record<string, RegExp>> {
  return {
    ratelimit: new RegExp(`^"${owner}";r=\\d+;t=\\d+$`),
    'ratelimit-policy': new RegExp(`^"${owner}";q=\\d+;w=\\d+(, "burst";q=\\d+;w=\\d+)?$`),
    'x-ratelimit-limit': /^\d+$/,
    'x-ratelimit-remaining': /^\d+$/,
    'x-ratelimit-reset': /^\d{10}$/,
  };
}

function missing(headers: WireAnswer['headers'], wanted: Readonly<Record<string, RegExp>>): string | undefined {
  for (const [name, form] of Object.entries(wanted)) {
    const value = headers.get(name)?.[0];
    if (value === undefined) return `${name} is missing`;
    if (!form.test(value)) return `${name}: ${value}`;
  }
  return undefined;
}
