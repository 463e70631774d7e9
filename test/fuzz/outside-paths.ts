import { BASE_PATH } from '../../src/contract/headers.ts';
import { DOCS_PATH } from '../../src/http/documentation.ts';
import { DOCUMENTATION_PATHS } from '../../src/http/documentation-files.ts';
import type { Random } from '../../src/simulator/random.ts';
import type { WireAnswer } from './answer-reader.ts';
import { HOSTILE_TEXTS } from './hostile-texts.ts';

/** The token that the run's service wants for its metrics. */
export const METRICS_TOKEN = 'run.9d1f7c3b5a2e.metrics';

const METRICS = '/metrics';
const DOCS = DOCUMENTATION_PATHS.map((path) => `${DOCS_PATH}${path}`);
/** Ways out of a folder, and to what no folder has. */
const CLIMBS: readonly string[] = [
  '..',
  '../',
  '../json',
  '../../package.json',
  './swagger-ui.css',
  '%2e%2e/json',
  '%2e%2e/%2e%2e/package.json',
  '..%2f..%2fpackage.json',
  '..%5c..%5cpackage.json',
  '..\\..\\package.json',
  '%252e%252e%252fpackage.json',
  '%c0%ae%c0%ae/package.json',
  '%00',
  'swagger-ui.css%00',
  '/etc/passwd',
  '%2fetc/passwd',
  '.gitignore',
  '../'.repeat(300),
];
const AUTHORIZATIONS: readonly string[] = [
  `Bearer ${METRICS_TOKEN.slice(0, -1)}`,
  `Bearer ${METRICS_TOKEN}x`,
  `Basic ${METRICS_TOKEN}`,
  METRICS_TOKEN,
  'Bearer',
  `Bearer ${'x'.repeat(8_000)}`,
];
const RIGHT = `Bearer ${METRICS_TOKEN}`;

export interface OutsideTarget {
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
}

/** A path that is no route of the contract: the documentation, the metrics, pages of errors, and what lies beside them. */
export function outsideTarget(random: Random): OutsideTarget {
  const encoding: OutsideTarget['headers'] = random.chance(0.5)
    ? [['Accept-Encoding', random.pick(['br', 'gzip', 'br;q=0, *', 'identity;q=0', '*;q=0', ';;', 'gzip;q=1e9'])]]
    : [];
  switch (random.below(4)) {
    case 0:
      return { target: random.pick(DOCS), headers: encoding };
    case 1: {
      const climb = random.chance(0.8)
        ? random.pick(CLIMBS)
        : encodeURIComponent(random.pick(HOSTILE_TEXTS).replace(/[\ud800-\udfff]/gu, ''));
      return { target: `${DOCS_PATH}/static/${climb}`, headers: encoding };
    }
    case 2: {
      const sent = random.chance(0.7) ? [random.chance(0.3) ? RIGHT : random.pick(AUTHORIZATIONS)] : [];
      return {
        target: random.pick([METRICS, `${METRICS}/`, `${METRICS}?x=1`]),
        headers: sent.map((each) => ['Authorization', each]),
      };
    }
    default:
      return {
        target: random.pick([
          '/',
          '/errors',
          '/errors/x',
          '/openapi.json',
          '/favicon.ico',
          '/nowhere',
          '/health',
          '/ready',
          '/ready/x',
        ]),
        headers: [],
      };
  }
}

/** True when texts of ours may stand in the answer: scripts of the page, its document, descriptions of errors. */
export function isDocumentation(target: string): boolean {
  return !target.startsWith(`${BASE_PATH}/`) && !target.startsWith(METRICS);
}

/** Returns what is wrong with an answer outside the contract. */
export function outsideFault(
  { target, headers }: Pick<OutsideTarget, 'target' | 'headers'>,
  { status, headers: answered }: WireAnswer,
): string | undefined {
  if (target.startsWith(METRICS)) {
    const cors = [...answered.keys()].find((name) => name.startsWith('access-control-'));
    if (cors !== undefined && answered.get('connection')?.[0] !== 'close')
      return `the metrics are answered with ${cors}`;
    const isAllowed = headers.some(([name, value]) => name === 'Authorization' && value === RIGHT);
    if (status < 400 && !isAllowed) return `the metrics were read without their token: ${status}`;
  }
  const isStranger = target.startsWith(`${DOCS_PATH}/static/`) && !DOCS.includes(target);
  return isStranger && ![400, 404, 429].includes(status)
    ? `${status} for what lies beside the documentation`
    : undefined;
}
