import { Value } from 'typebox/value';
import { ErrorBody } from '../../../src/contract/error-body.ts';
import { ERRORS, type ErrorCode } from '../../../src/contract/errors.ts';
import { type RouteContract, routeErrors } from '../../../src/contract/route.ts';

/** The answer to a question. */
export interface ReadAnswer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: string;
  readonly ms: number;
}

/** A route gives up after five seconds, and the machine may be busy. */
const SLOW_MS = 15_000;
/** Statuses that may be told while something is away. */
const TOLD: ReadonlySet<number> = new Set([503, 504]);

/** Returns what is wrong with an answer whatever goes on around it; undefined when nothing is. */
export function refusalFault(route: RouteContract, { status, retryAfter, body, ms }: ReadAnswer): string | undefined {
  if (ms > SLOW_MS) return `took ${Math.round(ms)} ms`;
  if (status < 400) return undefined;
  if (status >= 500 && !TOLD.has(status)) return `${status}: ${body}`;
  const said = parse(body);
  if (!Value.Check(ErrorBody, said)) return `${status} with a body that is no error: ${body.slice(0, 200)}`;
  const code = said.error.code as ErrorCode;
  if (ERRORS[code]?.status !== status) return `${code} with status ${status}`;
  if (!routeErrors(route).includes(code)) return `${code} is not declared`;
  const isTimed = status === 503 || status === 429;
  if (isTimed !== /^[1-9]\d*$/.test(retryAfter ?? '')) return `${status} with Retry-After ${retryAfter}`;
  return undefined;
}

/** True when it says that it is not an answer to the question. */
export function isTold({ status }: ReadAnswer): boolean {
  return TOLD.has(status) || status === 429;
}

/** Of a chain that goes on: what was there is not gone. */
export function lossFault(before: ReadAnswer, now: ReadAnswer): string | undefined {
  if (before.status >= 400 || isTold(now)) return undefined;
  if (now.status >= 400) return `${now.status} where there was an answer: ${now.body}`;
  const rows = rowsOf(before.body);
  if (rows !== undefined && rows > 0 && rowsOf(now.body) === 0) return `no rows, where there were ${rows}`;
  return undefined;
}

/** Fields that hold the time of an answer, or the time that it counts from: they are only checked to be times. */
const TIMES_OF_DAY: ReadonlySet<string> = new Set(['updated_at', 'recent_since']);

/** Paths of values that a body has, with their texts. */
type Leaves = ReadonlyMap<string, string>;

export function leavesOf({ status, body }: Pick<ReadAnswer, 'status' | 'body'>): Leaves {
  const leaves = new Map([['status', String(status)]]);
  walk(parse(body), '', leaves);
  leaves.delete('.error.request_id');
  return leaves;
}

function walk(value: unknown, path: string, leaves: Map<string, string>): void {
  if (typeof value !== 'object' || value === null) {
    const isTime = TIMES_OF_DAY.has(path.slice(path.lastIndexOf('.') + 1)) && !Number.isNaN(Date.parse(String(value)));
    leaves.set(path, isTime ? 'a time' : (JSON.stringify(value) ?? 'undefined'));
    return;
  }
  if (Array.isArray(value)) leaves.set(`${path}.length`, String(value.length));
  for (const [name, inner] of Object.entries(value)) walk(inner, `${path}.${name}`, leaves);
}

/** Paths at which two answers differ. */
export function differences(one: Leaves, other: Leaves): string[] {
  const paths = new Set([...one.keys(), ...other.keys()]);
  return [...paths].filter((path) => one.get(path) !== other.get(path));
}

function rowsOf(body: string): number | undefined {
  const data = (parse(body) as { readonly data?: unknown } | undefined)?.data;
  return Array.isArray(data) ? data.length : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
