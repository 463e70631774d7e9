import { routeName } from '../../src/contract/route.ts';
import type { WireAnswer } from './answer-reader.ts';
import { WireFault } from './connection.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import { judge } from './judge.ts';
import type { SecretSearch } from './secret-search.ts';
import type { SeenValues } from './seen-values.ts';
import type { Wire } from './wire.ts';

/** Sends requests and judges what comes back. */
export interface FuzzClient {
  /** Resolves with the answer, undefined when there was none. Never throws: what breaks is a fault. */
  ask(request: FuzzRequest): Promise<WireAnswer | undefined>;
  readonly figures: FuzzFigures;
}

export interface FuzzFault {
  readonly request: FuzzRequest;
  readonly what: string;
  readonly answer: WireAnswer | undefined;
  /** Requests with the same fault, and the routes that they were made from. */
  times: number;
  readonly routes: Set<string>;
}

export interface FuzzFigures {
  readonly requests: number;
  readonly byStatus: Readonly<Record<string, number>>;
  readonly byCode: ReadonlyMap<string, number>;
  /** Routes that answered with what was asked for. */
  readonly answeredRoutes: ReadonlySet<string>;
  /** By key: what answers said that they cost, and what may have been charged without an answer. */
  readonly costs: ReadonlyMap<string, KeyCost>;
  readonly slowestMs: number;
  /** One of each kind. */
  readonly faults: readonly FuzzFault[];
}

export interface KeyCost {
  told: number;
  /** The same by route, as the usage names it. */
  readonly byRoute: Map<string, number>;
  untold: number;
}

export interface FuzzClientOptions {
  readonly wire: Wire;
  readonly seen: SeenValues;
  readonly secrets: SecretSearch;
}

/** Longer than the service gives itself: whatever takes longer hangs. */
const HANG_MS = 20_000;
/** Broken HTTP may be waited on for more of it: the client leaves. */
const PATIENCE_MS = 1_500;
/** A refusal that comes while so much is still being sent may be lost with the connection. */
const LARGE_BYTES = 60_000;
const MAX_FAULTS = 40;

export function createFuzzClient({ wire, seen, secrets }: FuzzClientOptions): FuzzClient {
  const byStatus: Record<string, number> = {};
  const byCode = new Map<string, number>();
  const answeredRoutes = new Set<string>();
  const costs = new Map<string, KeyCost>();
  const faults = new Map<string, FuzzFault>();
  const totals = { requests: 0, slowestMs: 0 };

  function blame(request: FuzzRequest, what: string, answer: WireAnswer | undefined): void {
    const kind = `${request.caller.kind} ${what.replaceAll(/\d+/g, '0').slice(0, 60)}`;
    const fault = faults.get(kind) ?? { request, what, answer, times: 0, routes: new Set() };
    fault.times += 1;
    fault.routes.add(request.route.name);
    if (faults.size < MAX_FAULTS) faults.set(kind, fault);
  }

  function count(request: FuzzRequest, answer: WireAnswer): void {
    byStatus[answer.status] = (byStatus[answer.status] ?? 0) + 1;
    totals.slowestMs = Math.max(totals.slowestMs, answer.ms);
    const code = answer.status < 400 ? undefined : /"code":"(\w+)"/.exec(answer.body.toString('utf8', 0, 500))?.[1];
    if (code !== undefined) byCode.set(code, (byCode.get(code) ?? 0) + 1);
    if (answer.status < 400 && request.meets === 'route') answeredRoutes.add(request.route.name);
    const told = Number(answer.headers.get('x-credits-cost')?.[0] ?? 0);
    const cost = costOf(request);
    const route = routeName(request.route);
    cost.told += told;
    cost.byRoute.set(route, (cost.byRoute.get(route) ?? 0) + told);
  }

  function costOf({ headers }: FuzzRequest): KeyCost {
    const key = headers.find(([name]) => name === 'X-API-Key')?.[1] ?? '';
    const cost = costs.get(key) ?? { told: 0, untold: 0, byRoute: new Map<string, number>() };
    costs.set(key, cost);
    return cost;
  }

  async function askOnce(request: FuzzRequest): Promise<WireAnswer | undefined> {
    const isBroken = request.meets === 'parser';
    const options = { isHead: request.method === 'HEAD', alone: isBroken, timeoutMs: isBroken ? PATIENCE_MS : HANG_MS };
    let answer: WireAnswer;
    try {
      answer = await wire.send(request.address, request.bytes, options);
    } catch (error) {
      costOf(request).untold += request.route.access === 'key' ? (request.price ?? Number.POSITIVE_INFINITY) : 0;
      const fault = lostFault(request, error);
      if (fault !== undefined) blame(request, fault, undefined);
      return undefined;
    }
    count(request, answer);
    // Refused in the middle of a request that was under way already: nobody was told what that cost.
    if (isBroken) costOf(request).untold = Number.POSITIVE_INFINITY;
    else seen.take(answer);
    const fault = judge(request, answer) ?? secretFault(request, answer, secrets);
    if (fault !== undefined) blame(request, fault, answer);
    return answer;
  }

  return {
    ask(request) {
      totals.requests += 1;
      return askOnce(request);
    },
    get figures() {
      return { ...totals, byStatus, byCode, answeredRoutes, costs, faults: [...faults.values()] };
    },
  };
}

/** Returns the fault that a missing answer means, if any. */
function lostFault({ meets, bytes }: FuzzRequest, error: unknown): string | undefined {
  if (!(error instanceof WireFault)) return String(error);
  if (meets === 'parser') {
    // An answer to each half of what was sent is what a proxy could be deceived with, unless the second is refused.
    const isDeceived = error.kind === 'malformed' && !error.message.includes('"HTTP/1.1 4');
    return isDeceived ? error.message : undefined;
  }
  return error.kind === 'closed' && bytes.length > LARGE_BYTES ? undefined : error.message;
}

/** Tokens tell nobody's secrets; what does is looked through, and so is every refusal. */
function secretFault({ route, caller }: FuzzRequest, { status, body, headers }: WireAnswer, secrets: SecretSearch) {
  if (status < 400 && (route.access === 'key' || route.access === 'public')) return undefined;
  const shown = [...headers].filter(([name]) => name !== 'set-cookie').flatMap(([, values]) => values);
  const found = secrets.find(Buffer.concat([Buffer.from(shown.join('\n')), body]));
  if (found === undefined) return undefined;
  const isOwn = status < 400 && found.owner !== undefined && found.owner === caller.account?.id;
  return isOwn ? undefined : `shows the ${found.name}: ${found.around}`;
}
