import { systemClock } from '../../src/kernel/clock.ts';

/** A running service's report of itself, asked no faster than it lets an address ask. */
export interface SelfReport {
  /** Codes of the alarms of `/health`; undefined when nobody answers. */
  alarms(): Promise<readonly string[] | undefined>;
  /** A figure of its ingest by name, such as `committed_slot`: NaN when nobody answers. */
  ingest(): Promise<(name: string) => number>;
}

/** Progress of a service, for whoever waits for it. */
export interface Progress {
  readonly report: SelfReport;
  /** Newest slot that it should have stored, which may grow. */
  readonly newest: () => number;
}

/** A service's pages give an address five answers a second. */
const ASK_EVERY_MS = 250;
const TOO_MANY = 429;
/** Its figures are never older, and not all of one instant: a hole may be gone whose marks are not told yet. */
const FIGURES_AGE_MS = 1_500;

/** `address` is that of the API, undefined while there is none. */
export function createSelfReport(address: () => string | undefined): SelfReport {
  const health = createPage(address, '/api/health');
  const metrics = createPage(address, '/metrics');
  return {
    async alarms() {
      const text = await health();
      if (text === undefined) return undefined;
      const { alarms } = JSON.parse(text) as { readonly alarms: readonly { readonly code: string }[] };
      return alarms.map(({ code }) => code);
    },
    async ingest() {
      const text = (await metrics()) ?? '';
      return (name) => Number(new RegExp(`^mintscope_ingest_${name} (\\S+)$`, 'm').exec(text)?.[1]);
    },
  };
}

/** A page, with its pace over all who ask for it. A refusal for asking too often is no answer, and is waited out. */
function createPage(address: () => string | undefined, path: string): () => Promise<string | undefined> {
  let nextAt = 0;
  return async function read(): Promise<string | undefined> {
    for (;;) {
      const now = systemClock.elapsed();
      const at = Math.max(now, nextAt);
      nextAt = at + ASK_EVERY_MS;
      if (at > now) await systemClock.sleep(at - now);
      const url = address();
      if (url === undefined) return undefined;
      const answer = await fetch(new URL(path, url)).catch(() => undefined);
      const text = await answer?.text().catch(() => undefined);
      if (answer?.status !== TOO_MANY) return text;
    }
  };
}

/** Says, each time it is asked, whether all has been stored, holes filled and mints folded, for longer than figures age. */
export function createSettledLook({ report, newest }: Progress): () => Promise<boolean> {
  let since: number | undefined;
  return async () => {
    const figure = await report.ingest();
    const isSo = figure('committed_slot') >= newest() && figure('holes') === 0 && figure('stale_mints') === 0;
    since = isSo ? (since ?? systemClock.elapsed()) : undefined;
    return since !== undefined && systemClock.elapsed() - since > FIGURES_AGE_MS;
  };
}
