import autocannon from 'autocannon';

export interface Load {
  /** Base URL, without a slash at its end. */
  readonly address: string;
  readonly path: string;
  /** Of customers: each connection asks in turn with its own part of them; all with the same when there are fewer. */
  readonly keys: readonly string[];
  readonly connections: number;
  readonly amount: Amount;
}

/** Time to ask for, or number of requests. Only the latter ends by what was done, and not by a clock. */
export type Amount = { readonly seconds: number } | { readonly requests: number };

export interface Loaded {
  /** All of them answered with 2xx. */
  readonly answered: number;
  readonly perSecond: number;
  readonly p99Ms: number;
}

const LOOK_EVERY_MS = 100;

/**
 * Asks over so many connections, each the next thing when its answer has come. Throws when one request was refused or
 * failed: a rate of refusals is not what anybody wanted to know.
 */
export async function load({ address, path, keys, connections, amount }: Load): Promise<Loaded> {
  let connection = 0;
  const url = new URL(address + path);
  const result = await autocannon({
    url: url.href,
    connections,
    sampleInt: LOOK_EVERY_MS,
    ...('seconds' in amount ? { duration: amount.seconds } : { amount: amount.requests }),
    setupClient(client) {
      const place = connection;
      connection += 1;
      const own = keys.filter((_, index) => keys.length < connections || index % connections === place);
      const target = url.pathname + url.search;
      client.setRequests(own.map((key) => ({ method: 'GET', path: target, headers: { 'x-api-key': key } })));
    },
  });
  const answered = result['2xx'];
  if (result.non2xx > 0 || result.errors > 0) {
    const statuses = JSON.stringify(result.statusCodeStats);
    throw new Error(
      `${path}: ${result.non2xx} refused of ${statuses}, ${result.errors} failed, ${result.timeouts} of them by waiting`,
    );
  }
  if ('requests' in amount && answered !== amount.requests) {
    throw new Error(`${path}: ${answered} answers to ${amount.requests} requests`);
  }
  return { answered, perSecond: answered / result.duration, p99Ms: result.latency.p99 };
}
