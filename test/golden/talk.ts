import type { FastifyInstance } from 'fastify';
import { BASE_PATH } from '../../src/contract/headers.ts';
import type { Method } from '../../src/contract/route.ts';
import type { Answer } from '../support/walk/ask.ts';
import type { AnswerCheck } from './answer-check.ts';
import type { Person } from './golden-people.ts';
import { OPERATOR_KEY, ORIGIN } from './golden-world.ts';
import { masked } from './masks.ts';

/** As whom something is asked: with the key of the person or the operator's, signed in, as a page in which nobody is, or with nothing at all. */
export type Caller = 'key' | 'operator' | 'session' | 'page' | 'nobody';

export interface Question {
  /** GET when left out. */
  readonly method?: Method | 'HEAD' | 'OPTIONS' | 'PATCH';
  /** Behind `/api`. */
  readonly path: string;
  /** `key` when left out. */
  readonly as?: Caller;
  /** Besides those of the caller. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Not written down: what the next question stands on. */
  readonly unrecorded?: boolean;
}

/** A conversation about one route, every answer of which is written down. */
export interface Talk {
  readonly person: Person;
  ask(title: string, question: Question): Promise<Answer>;
  /** Asks with the key for a body that is JSON: the title is the path. */
  get<T = Record<string, unknown>>(path: string, as?: Caller): Promise<T>;
  /** The same, and the pages behind it: so many in all, as far as there are. */
  pages(path: string, count: number): Promise<void>;
  /** All that was asked and answered. */
  readonly text: string;
  /** Statuses of what was answered. */
  readonly statuses: ReadonlySet<number>;
  /** Places where an answer is not what its route declares, those that are not written down included. */
  readonly faults: readonly string[];
}

/** Headers that nearly every answer has. They are written down once: an answer tells where it differs. */
const USUAL = [
  'access-control-allow-origin',
  'access-control-expose-headers',
  'connection',
  'content-security-policy',
  'content-type',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'origin-agent-cluster',
  'referrer-policy',
  'strict-transport-security',
  'x-api-version',
  'x-content-type-options',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
] as const;

/** Between the lines of a body: behind what stands at this depth of it. */
const LINE_DEPTH = 2;

export type UsualHeaders = Readonly<Record<string, string>>;

/** The usual headers, as an answer has them. */
export function usualHeaders({ headers }: Answer): UsualHeaders {
  return Object.fromEntries(
    USUAL.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  );
}

export function openTalk(app: FastifyInstance, person: Person, usual: UsualHeaders, check: AnswerCheck): Talk {
  const parts: string[] = [];
  const statuses = new Set<number>();
  const faults: string[] = [];

  async function ask(title: string, question: Question): Promise<Answer> {
    const { method = 'GET', path, as = 'key', body, unrecorded = false } = question;
    const answer = await app.inject({
      method,
      url: BASE_PATH + path,
      remoteAddress: person.address,
      headers: { ...callerHeaders(person, as), ...question.headers },
      ...(body === undefined ? {} : { payload: body as object }),
    });
    faults.push(...check.faults(method, path, answer));
    if (unrecorded) return answer;
    statuses.add(answer.statusCode);
    const sent = body === undefined ? '' : ` ${typeof body === 'string' ? body : JSON.stringify(body)}`;
    const head = `--- ${title}\n${method} ${path}${sent} (${as})`;
    parts.push(masked(`${head}\n${answerText(answer, usual)}`));
    return answer;
  }

  async function get<T>(path: string, as: Caller = 'key'): Promise<T> {
    return (await ask(path, { path, as })).json<T>();
  }

  return {
    person,
    ask,
    get,
    async pages(path, count) {
      for (let [page, cursor] = [0, '']; page < count; page += 1) {
        const mark = path.includes('?') ? '&' : '?';
        const next = cursor === '' ? path : `${path}${mark}cursor=${encodeURIComponent(cursor)}`;
        const { next_cursor } = await get<{ next_cursor?: string }>(next);
        if (next_cursor === undefined) return;
        cursor = next_cursor;
      }
    },
    get text() {
      return parts.join('\n\n');
    },
    statuses,
    faults,
  };
}

/** Status, headers and body of an answer. */
export function answerText(answer: Answer, usual: UsualHeaders): string {
  return [answer.statusCode, ...headerLines(answer, usual), lines(answer.body)].join('\n');
}

function headerLines({ headers, rawPayload }: Answer, usual: UsualHeaders): string[] {
  const told = Object.entries(headers).filter(([name, value]) => {
    if (name === 'date') return false;
    // Ids have different lengths from run to run; a body's length is the body's.
    if (name === 'content-length') return Number(value) !== rawPayload.length;
    return usual[name] !== String(value);
  });
  const missing = Object.keys(usual).filter((name) => headers[name] === undefined);
  return [...told.map(([name, value]) => `${name}: ${String(value)}`).sort(), ...missing.map((name) => `no ${name}`)];
}

/** JSON with line ends put between what lies near its surface. Without them it is the body to the byte. */
function lines(body: string): string {
  if (!body.startsWith('{')) return body;
  let [text, depth, inText] = ['', 0, false];
  for (let at = 0; at < body.length; at += 1) {
    const sign = body[at]!;
    text += sign;
    if (sign === '\n') throw new Error('a line end in a body of JSON, which is taken for ours');
    if (inText) {
      if (sign === '\\') {
        at += 1;
        text += body[at];
      } else if (sign === '"') inText = false;
    } else if (sign === '"') inText = true;
    else if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') depth -= 1;
    else if (sign === ',' && depth <= LINE_DEPTH) text += '\n';
  }
  return text;
}

function callerHeaders({ key, cookie }: Person, as: Caller): Record<string, string> {
  const page = { origin: ORIGIN, 'sec-fetch-site': 'same-origin' };
  if (as === 'key') return { 'x-api-key': key };
  if (as === 'operator') return { 'x-api-key': OPERATOR_KEY };
  if (as === 'session') return { ...page, cookie };
  return as === 'page' ? page : {};
}
