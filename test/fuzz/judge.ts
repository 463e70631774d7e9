import { Value } from 'typebox/value';
import { ErrorBody, Problem } from '../../src/contract/error-body.ts';
import { ERRORS, type ErrorCode } from '../../src/contract/errors.ts';
import { routeErrors } from '../../src/contract/route.ts';
import { ROUTES } from '../../src/routes.ts';
import { answerFaults } from '../support/answer-schema.ts';
import type { WireAnswer } from './answer-reader.ts';
import { mayCall, refusalsOf } from './caller.ts';
import { costFault } from './cost-judge.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import { headerFault } from './header-judge.ts';
import { isDocumentation, outsideFault } from './outside-paths.ts';
import { PROBLEM_TYPE } from './request-headers.ts';

/** An answer takes longer than this: a route gives up after five seconds, and the machine may be busy. */
const SLOW_MS = 9_000;
/** From here on a header may be over the limit of what a request can hold. */
const LONG_HEADER_BYTES = 15_000;
/** Words that no answer may hold: ours, our libraries' and our databases'. */
const INSIDES =
  /node:internal|node_modules|\.[jt]s:\d+|at Object\.|SQLITE_|ClickHouse|DB::Exception|\bSELECT\b|0x[0-9a-f]{12}|FST_ERR/;

/** Errors that the parser and the router give before there is a route. */
const BEFORE_ROUTES: readonly ErrorCode[] = [
  'invalid_request',
  'request_timeout',
  'headers_too_large',
  'not_found',
  'method_not_allowed',
  'invalid_param',
  'expectation_failed',
  'metrics_token_required',
];
const EVERYTHING: ReadonlySet<ErrorCode> = new Set([...BEFORE_ROUTES, ...ROUTES.flatMap(routeErrors)]);
/** Too little was asked to time out, but the machine may be busy: the run counts how often, and bounds it. */
const SERVER_FAULTS_ALLOWED: readonly string[] = ['warming_up', 'query_timeout'];

/** Returns what is wrong with an answer; undefined when everything that must hold does. */
export function judge(request: FuzzRequest, answer: WireAnswer): string | undefined {
  const { status, ms } = answer;
  if (ms > SLOW_MS) return `took ${Math.round(ms)} ms`;
  const shown = answer.body.toString();
  const inside = status < 400 && isDocumentation(request.target) ? undefined : INSIDES.exec(shown)?.[0];
  if (inside !== undefined) return `shows its insides: ${inside}`;
  const outside = outsideFault(request, answer);
  if (outside !== undefined) return outside;
  const isBodiless =
    (request.method === 'HEAD' && status !== 431) || status === 304 || status === 204 || status === 302;
  const fault = status >= 400 ? errorFault(request, answer, isBodiless) : successFault(request, answer, isBodiless);
  // The parser's refusals are written where there is neither a request nor its headers.
  if (fault !== undefined || answer.headers.get('connection')?.[0] === 'close') return fault;
  return headerFault(request, answer) ?? costFault(request, answer);
}

function successFault(request: FuzzRequest, { status, headers, body }: WireAnswer, isBodiless: boolean) {
  const { route, meets, caller } = request;
  if (request.method === 'OPTIONS' && status === 204) return undefined;
  if (meets === 'method') return `${status} for a method that the path does not know`;
  // Broken HTTP that is read all the same is the request that it seems to be.
  if (meets === 'route' || meets === 'anything') {
    if (!mayCall(caller.kind, route)) return `${status} for a caller whom the route is not for`;
  }
  if (meets !== 'route') return undefined;
  if (status === 304) return route.etag ? undefined : '304 of a route without entity tags';
  if (status !== (route.redirects ? 302 : 200)) return `${status} is not declared`;
  if (isBodiless) return body.length === 0 ? undefined : 'a body where none belongs';
  const type = headers.get('content-type')?.[0];
  if (type !== 'application/json; charset=utf-8') return `Content-Type is ${type}`;
  return schemaFault(request, body);
}

/** Bodies that were right once: most answers come more often. */
const known = new Set<string>();
const MAX_KNOWN = 20_000;

function schemaFault({ route }: FuzzRequest, body: Buffer): string | undefined {
  const text = body.toString();
  const id = `${route.name} ${text.length} ${text.slice(0, 200)}${text.slice(-100)}`;
  if (known.has(id)) return undefined;
  const fault = answerFaults(route, parse(text)).slice(0, 3).join('; ');
  if (fault !== '') return `the body is not what its schema says: ${fault}`;
  if (known.size < MAX_KNOWN) known.add(id);
  return undefined;
}

function errorFault(request: FuzzRequest, answer: WireAnswer, isBodiless: boolean): string | undefined {
  const { status, headers, body } = answer;
  if (isBodiless) return body.length === 0 ? undefined : 'a body where none belongs';
  const isProblem = headers.get('content-type')?.[0]?.startsWith(PROBLEM_TYPE) === true;
  const wantsProblem = request.headers.some(([name, value]) => name === 'Accept' && value.includes(PROBLEM_TYPE));
  if (isProblem && !wantsProblem) return 'a problem that nobody asked for';
  const sent = parse(body.toString());
  const [wrong] = Value.Errors(isProblem ? Problem : ErrorBody, sent);
  if (wrong !== undefined) return `no error body: ${wrong.instancePath} ${wrong.message}`;
  const { code, id } = readError(sent as ErrorBody | Problem);
  const entry = Object.hasOwn(ERRORS, code) ? ERRORS[code as ErrorCode] : undefined;
  if (entry === undefined) return `${code} is in no catalogue`;
  if (entry.status !== status) return `${code} with status ${status}`;
  const named = headers.get('x-request-id')?.[0];
  if (named !== undefined && named !== id) return 'the body names another request than the header';
  if (status >= 500 && !isAllowedFault(code, sent)) return `${status} ${code}`;
  if ((status === 429 || status === 503) && !/^\d+$/.test(headers.get('retry-after')?.[0] ?? '')) {
    return `${status} without Retry-After`;
  }
  return codeFault(request, code as ErrorCode, status, headers);
}

/** Checks that the route may answer with this error, and to this caller. */
function codeFault(request: FuzzRequest, code: ErrorCode, status: number, headers: WireAnswer['headers']) {
  const { route, meets, caller, bytes } = request;
  if (code === 'method_not_allowed' && headers.get('allow') === undefined) return '405 without Allow';
  if (meets === 'parser' || meets === 'anything') return EVERYTHING.has(code) ? undefined : `${code} is not declared`;
  const headerBytes = bytes.indexOf('\r\n\r\n');
  if (code === 'headers_too_large')
    return headerBytes > LONG_HEADER_BYTES ? undefined : `${headerBytes} bytes of header are too many`;
  if (meets === 'method') return code === 'method_not_allowed' ? undefined : `${code} for an unknown method`;
  if (!routeErrors(route).includes(code)) return `${code} is not declared`;
  if (mayCall(caller.kind, route)) {
    if (code === 'cross_origin' && saysWhichPage(request)) return undefined;
    // Owners who ask anything at all may have taken their own keys away.
    if (caller.kind === 'owner-key' && /^api_key_(revoked|suspended)$/.test(code)) return undefined;
    const isRefusal = (status === 401 && code !== 'invalid_nonce' && code !== 'invalid_signature') || status === 403;
    return isRefusal ? `${code} for a caller whom the route is for` : undefined;
  }
  // A caller who may not call learns that, or that it calls too often, and nothing of the route.
  const isTold = code === 'rate_limited' || refusalsOf(caller.kind).includes(code);
  return isTold ? undefined : `${code} for a caller whom the route is not for`;
}

/** True when a browser would refuse in our place: the page named itself, or had to. */
function saysWhichPage({ headers, route }: FuzzRequest): boolean {
  return route.ownPagesOnly || headers.some(([name]) => name === 'Origin' || name === 'Sec-Fetch-Site');
}

/** A pack of which every part took too long says so of each. */
function isAllowedFault(code: string, sent: unknown): boolean {
  if (SERVER_FAULTS_ALLOWED.includes(code)) return true;
  const codes = [...JSON.stringify(sent).matchAll(/"code":"(\w+)"/g)].map(([, each]) => each);
  return code === 'storage_unavailable' && codes.length > 1 && codes.slice(1).every((each) => each === 'query_timeout');
}

function readError(sent: ErrorBody | Problem): { readonly code: string; readonly id: string } {
  return 'error' in sent
    ? { code: sent.error.code, id: sent.error.request_id }
    : { code: sent.code, id: sent.instance.replace('/req/', '') };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
