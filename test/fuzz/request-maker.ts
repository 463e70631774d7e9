import { METHODS as HTTP_METHODS } from 'node:http';
import { BASE_PATH } from '../../src/contract/headers.ts';
import type { RouteContract } from '../../src/contract/route.ts';
import { ROUTES } from '../../src/routes.ts';
import type { Random } from '../../src/simulator/random.ts';
import { fuzzBody } from './body-values.ts';
import { brokenHttp } from './broken-http.ts';
import { type Caller, credentials } from './caller.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import { HOSTILE_TEXTS } from './hostile-texts.ts';
import { outsideTarget } from './outside-paths.ts';
import { acceptableText, type SeenTexts, unlikelyText } from './parameter-texts.ts';
import { fuzzHeaders } from './request-headers.ts';

/** Material of requests besides contracts. */
export interface Material extends SeenTexts {
  readonly etags: readonly string[];
}

/** Sessions of the run last as long as it does. */
const STAYING = ROUTES.filter(({ name }) => name !== 'logOut');
const METHODS = HTTP_METHODS.filter((method) => method !== 'CONNECT');
/**
 * Headers in which browsers tell of the page that asks: they decide what a session may do, so callers with one set them
 * themselves.
 */
const OF_PAGES: readonly string[] = ['Origin', 'Sec-Fetch-Site'];
const ADDRESSES = 200;
/** Longer ones the router refuses before it looks for a route. */
const ROUTABLE_CHARACTERS = 200;
const BROKEN_SHARE = 0.04;
/** Of requests for what is no route of the contract. Whatever is answered there is nobody's. */
const OUTSIDE_SHARE = 0.02;
const OUTSIDE_ROUTE = ROUTES.find(({ name }) => name === 'getHealth')!;

/** Makes the request of this place in the run. */
export function makeRequest(index: number, caller: Caller, material: Material, random: Random): FuzzRequest {
  const meant = random.pick(caller.kind === 'session' ? STAYING : ROUTES);
  const address =
    caller.address ?? `127.${random.between(1, 4)}.${random.below(4)}.${random.between(1, ADDRESSES / 4)}`;
  if (random.chance(OUTSIDE_SHARE)) return makeOutside({ index, caller, address }, random);
  const path = makePath(meant, material, random);
  const query = makeQuery(meant, material, random);
  const target = `${BASE_PATH}${path.text}${query.text === '' ? '' : `?${query.text}`}`;
  const own = credentials(caller, random);
  if (random.chance(BROKEN_SHARE)) {
    // The cost of one half of two readings is known to nobody, so callers whose credits are counted stay out of it.
    const isCounted = caller.kind === 'payer' || caller.kind === 'operator';
    const sent = (isCounted ? [] : own).map(([name, value]) => `${name}: ${value}\r\n`).join('');
    const bytes = brokenHttp(`${meant.method} ${target}`, sent, random);
    const shape = { index, caller, address, route: meant, target, headers: isCounted ? [] : own, bytes };
    return { ...shape, method: 'GET', body: undefined, meets: 'parser', isAcceptable: false, price: undefined };
  }
  const { method, meets, route } = makeMethod(meant, path.isRoutable, random);
  const body = makeBody(route, method, material, random);
  const values = route === meant ? query.values : undefined;
  const headers = [
    ['Host', `127.0.0.1`] as const,
    ...own,
    ...fuzzHeaders(material.etags, random).filter(([name]) => caller.cookie === undefined || !OF_PAGES.includes(name)),
    ...(body?.contentType === undefined ? [] : [['Content-Type', body.contentType] as const]),
  ];
  return {
    index,
    caller,
    address,
    route,
    method,
    target,
    headers,
    body: body?.bytes,
    bytes: writeRequest(method, target, headers, body?.bytes, random),
    meets,
    isAcceptable: path.isAcceptable && values !== undefined && (body?.isAcceptable ?? route.body === undefined),
    price: values === undefined ? undefined : route.price.compute(values),
  };
}

function makeOutside(of: Pick<FuzzRequest, 'index' | 'caller' | 'address'>, random: Random): FuzzRequest {
  const { target, headers: own } = outsideTarget(random);
  const method = random.chance(0.8) ? 'GET' : 'HEAD';
  const headers = [['Host', '127.0.0.1'] as const, ...own];
  const bytes = writeRequest(method, target, headers, undefined, random);
  const made = { method, target, headers, body: undefined, bytes, price: undefined };
  return { ...of, ...made, route: OUTSIDE_ROUTE, meets: 'anything', isAcceptable: false };
}

/** Another method now and then: one that the path knows leads to another contract. */
function makeMethod(meant: RouteContract, isRoutable: boolean, random: Random): MadeMethod {
  const drawn = random.chance(0.03) ? random.pick(METHODS) : meant.method;
  const method = meant.method === 'GET' && random.chance(0.03) ? 'HEAD' : drawn;
  const asked = method === 'HEAD' ? 'GET' : method;
  const route = ROUTES.find((each) => each.path === meant.path && each.method === asked);
  if (!isRoutable || method === 'OPTIONS') return { method, meets: 'anything', route: meant };
  return route === undefined ? { method, meets: 'method', route: meant } : { method, meets: 'route', route };
}

interface MadeMethod {
  readonly method: string;
  readonly meets: FuzzRequest['meets'];
  readonly route: RouteContract;
}

interface MadePath {
  readonly text: string;
  /** Leads to its route and to no other. */
  readonly isRoutable: boolean;
  readonly isAcceptable: boolean;
}

function makePath(route: RouteContract, material: Material, random: Random): MadePath {
  let isRoutable = true;
  let isAcceptable = true;
  const text = route.path.replace(/\{(\w+)\}/g, (_brace, name: string) => {
    const parameter = route.params[name]!;
    const found = random.chance(0.75) ? acceptableText(parameter, material, random) : undefined;
    const value = found ?? unlikelyText(parameter, material, random);
    isAcceptable &&= parameter.parse(value) !== undefined;
    const { sent, isWhole } = encode(value, random);
    isRoutable &&= isWhole && value !== '' && !/^\.{1,2}$/.test(value) && sent.length <= ROUTABLE_CHARACTERS;
    return sent;
  });
  if (random.chance(0.97)) return { text, isRoutable, isAcceptable };
  const bent = random.pick([
    `${text}/`,
    `${text}//`,
    `/${text}`,
    `/..${text}`,
    `${text}/../../metrics`,
    `${text}/%2e%2e/%2e%2e`,
    `${text}%00`,
    `${text}%`,
    `${text}%zz`,
    `${text}%c0%af`,
    `${text};x=1`,
    `${text}.json`,
    text.toUpperCase(),
    `${text}/${encode(random.pick(HOSTILE_TEXTS), random).sent}`,
    text.replace('/', '%2f'),
  ]);
  return { text: bent, isRoutable: false, isAcceptable: false };
}

interface MadeQuery {
  readonly text: string;
  /** The values that the route reads; undefined when something is not acceptable, or read in more than one way. */
  readonly values: Record<string, unknown> | undefined;
}

function makeQuery(route: RouteContract, material: Material, random: Random): MadeQuery {
  const pairs: string[] = [];
  const values: Record<string, unknown> = {};
  let isKnown = true;
  for (const [name, parameter] of Object.entries(route.query)) {
    values[name] = parameter.absent;
    if (!parameter.required && random.chance(0.55)) continue;
    const found = random.chance(0.8) ? acceptableText(parameter, material, random) : undefined;
    const text = found ?? unlikelyText(parameter, material, random);
    values[name] = parameter.parse(text);
    const { sent, isWhole } = encode(text, random);
    isKnown &&= found !== undefined && isWhole;
    pairs.push(`${name}=${sent}`);
  }
  for (const [one, other] of route.conflicts) {
    isKnown &&= !(
      pairs.some((each) => each.startsWith(`${one}=`)) && pairs.some((each) => each.startsWith(`${other}=`))
    );
  }
  if (random.chance(0.08)) {
    pairs.push(oddPair(Object.keys(route.query), random));
    isKnown = false;
  }
  return { text: pairs.join('&'), values: isKnown ? values : undefined };
}

/** Repeated, nested, named like prototypes, broken, or far too many. */
function oddPair(names: readonly string[], random: Random): string {
  const name = names.length === 0 ? 'x' : random.pick(names);
  return random.pick([
    `${name}=1&${name}=2`,
    `${name}[]=1`,
    `${name}[a]=1`,
    `${name}`,
    `${name}=`,
    '__proto__=1',
    '__proto__[limit]=1',
    'constructor[prototype][x]=1',
    'toString=1',
    `${name}=%zz`,
    `${name}=%`,
    `${name}=%ff%fe`,
    `${name}=%00`,
    '&&&===',
    `${'a=1&'.repeat(1_500)}`,
    `${name}=${'x'.repeat(8_000)}`,
    `key=ms_live_${'1'.repeat(40)}`,
    `${encodeURIComponent('\ufeff')}${name}=5`,
    `${name.toUpperCase()}=5`,
  ]);
}

function makeBody(route: RouteContract, method: string, material: Material, random: Random) {
  if (method === 'HEAD' || method === 'TRACE') return undefined;
  if (route.body !== undefined) return random.chance(0.98) ? fuzzBody(route.body, material, random) : undefined;
  return random.chance(0.03) ? { ...fuzzBody({}, material, random), isAcceptable: false } : undefined;
}

function writeRequest(
  method: string,
  target: string,
  headers: readonly (readonly [string, string])[],
  body: Buffer | undefined,
  random: Random,
): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const start = `${method} ${target} HTTP/1.1\r\n${lines}`;
  if (body === undefined) return Buffer.from(`${start}\r\n`, 'latin1');
  if (random.chance(0.85)) {
    return Buffer.concat([Buffer.from(`${start}Content-Length: ${body.length}\r\n\r\n`, 'latin1'), body]);
  }
  const parts: Buffer[] = [Buffer.from(`${start}Transfer-Encoding: chunked\r\n\r\n`, 'latin1')];
  for (let at = 0; at < body.length; ) {
    const chunk = body.subarray(at, at + random.between(1, 20_000));
    parts.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'));
    at += chunk.length;
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
}

/** As a client writes a text into a URL; sometimes nearly as it is, with what would end the request line taken out. */
function encode(text: string, random: Random): { readonly sent: string; readonly isWhole: boolean } {
  // Halves of surrogate pairs have no percent-encoding.
  const wellFormed = text.replace(/[\ud800-\udfff]/gu, '\ufffd');
  if (random.chance(0.02)) return { sent: wellFormed.replace(/[^!-~]/g, ''), isWhole: false };
  return { sent: encodeURIComponent(wellFormed), isWhole: wellFormed === text };
}
