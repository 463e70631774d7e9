import { type ClientRequest, type IncomingMessage, request as openRequest } from 'node:http';
import { createDial, type Dial } from './dial.ts';
import { FetchFault, toFetchFault } from './fetch-fault.ts';
import { createFetchGate, type FetchGate, type FetchGateLimits } from './fetch-gate.ts';
import { type FetchTarget, hostOf, readTarget, siteOf } from './fetch-target.ts';
import { createDnsResolver, publicAddresses, type ResolveHost } from './host-addresses.ts';

export interface FetchWish {
  /** Value of Accept. */
  readonly accept: string;
  /** True for a type of answers worth reading, given in lower case and without parameters; '' when the host does not say. */
  readonly acceptsType: (type: string) => boolean;
  /** Largest body that is read, bytes. 0 reads none: status and type are all that is wanted. */
  readonly maxBytes: number;
  readonly method: 'GET' | 'HEAD';
  readonly signal: AbortSignal;
}

export interface FetchAnswer {
  readonly status: number;
  /** In lower case, without parameters. */
  readonly type: string;
  /** Empty unless the status is 200 and a body was wanted. */
  readonly body: Buffer;
}

/** Asks a URL that a stranger wrote. Rejects with a {@link FetchFault} and nothing else. */
export type SafeFetch = (url: string, wish: FetchWish) => Promise<FetchAnswer>;

export interface FetchTimes {
  /** From the first look-up to the last byte, redirects included. */
  readonly wholeMs: number;
  /** Between two bytes. */
  readonly idleMs: number;
}

export interface SafeFetchOptions {
  readonly gate: FetchGateLimits;
  readonly resolve?: ResolveHost;
  readonly dial?: Dial;
  readonly times?: FetchTimes;
  /** Origins that are asked as they are, whatever their scheme, port and address. Tests name servers of their own here. */
  readonly trustedOrigins?: readonly string[];
}

const TIMES: FetchTimes = { wholeMs: 6_000, idleMs: 3_000 };
const MAX_REDIRECTS = 3;
const MAX_HEADER_BYTES = 16 * 1024;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const OK = 200;
const NOTHING = Buffer.alloc(0);

interface Hop extends FetchAnswer {
  /** Address that a redirect leads to, as the host wrote it. */
  readonly location: string | undefined;
}

interface Admitted {
  readonly url: URL;
  readonly host: string;
  readonly site: string;
  readonly addresses: readonly string[];
}

/**
 * A fetch that a stranger may aim: at no address but public ones (looked up,
 * checked all, and the checked ones dialled), by https alone, no further than
 * three redirects that are each checked like the first URL, within a size, a
 * time and a number. It sends no cookie, no credentials and no referer, keeps no
 * cookie and no connection, and unpacks nothing.
 */
export function createSafeFetch(options: SafeFetchOptions): SafeFetch {
  const { resolve = createDnsResolver(), dial = createDial(), times = TIMES, trustedOrigins = [] } = options;
  const gate: FetchGate = createFetchGate(options.gate);
  const trusted = new Set(trustedOrigins);

  async function admit(text: string, signal: AbortSignal): Promise<Admitted> {
    if (URL.canParse(text) && trusted.has(new URL(text).origin)) {
      const url = new URL(text);
      return { url, host: hostOf(url), site: url.host, addresses: [hostOf(url)] };
    }
    const target = readTarget(text);
    if (typeof target === 'string') throw new FetchFault('refused', `not asked: ${target}`);
    const addresses = await addressesOf(target, signal);
    return { url: target.url, host: target.host, site: siteOf(target), addresses };
  }

  async function addressesOf({ host, isAddress }: FetchTarget, signal: AbortSignal): Promise<readonly string[]> {
    if (isAddress) return [host];
    const found = await unlessAborted(publicAddresses(resolve, host), signal);
    if (found === undefined) throw new FetchFault('refused', 'not asked: the name leads to an inner address');
    return found;
  }

  async function follow(text: string, wish: FetchWish, signal: AbortSignal): Promise<FetchAnswer> {
    let next = text;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const admitted = await admit(next, signal);
      const leave = gate.enter(admitted.site);
      let hop: Hop;
      try {
        // The platform tells nothing of some answers, a 101 among them: the time ends those as well.
        hop = await unlessAborted(ask(admitted, wish, { dial, signal, idleMs: times.idleMs }), signal);
      } finally {
        leave();
      }
      if (hop.location === undefined) return { status: hop.status, type: hop.type, body: hop.body };
      if (!URL.canParse(hop.location, admitted.url.href))
        throw new FetchFault('unusable', 'a redirect to what is no URL');
      next = new URL(hop.location, admitted.url).href;
    }
    throw new FetchFault('unusable', `more than ${MAX_REDIRECTS} redirects`);
  }

  return async (url, wish) => {
    const whole = new AbortController();
    const timer = setTimeout(
      () => whole.abort(new FetchFault('unreachable', 'the answer took too long')),
      times.wholeMs,
    );
    const signal = AbortSignal.any([wish.signal, whole.signal]);
    try {
      return await follow(url, wish, signal);
    } catch (error) {
      throw signal.aborted ? toFetchFault(signal.reason) : toFetchFault(error);
    } finally {
      clearTimeout(timer);
    }
  };
}

interface Line {
  readonly dial: Dial;
  readonly signal: AbortSignal;
  readonly idleMs: number;
}

/** One request and its answer, over a connection that ends with it. */
function ask({ url, host, addresses }: Admitted, wish: FetchWish, { dial, signal, idleMs }: Line): Promise<Hop> {
  return new Promise<Hop>((resolve, reject) => {
    const encrypted = url.protocol === 'https:';
    const request: ClientRequest = openRequest({
      createConnection: () => {
        const socket = dial({ host, port: Number(url.port) || (encrypted ? 443 : 80), addresses, encrypted });
        // The request listens a turn later: a connection may have failed by then.
        socket.on('error', reject);
        socket.setTimeout(idleMs, () => socket.destroy(new FetchFault('unreachable', 'the host fell silent')));
        return socket;
      },
      method: wish.method,
      path: url.pathname + url.search,
      setHost: false,
      headers: {
        host: url.host,
        accept: wish.accept,
        'accept-encoding': 'identity',
        'user-agent': 'mintscope',
        connection: 'close',
      },
      maxHeaderSize: MAX_HEADER_BYTES,
      signal,
    });
    const finish = (hop: Hop): void => {
      resolve(hop);
      request.destroy();
    };
    request.once('error', reject);
    // Errors behind the answer are nobody's concern, but must be heard.
    request.on('error', () => {});
    request.once('response', (response) => {
      readAnswer(response, wish).then(finish, (error: unknown) => {
        reject(error);
        request.destroy();
      });
    });
    request.end();
  });
}

async function readAnswer(response: IncomingMessage, { maxBytes, acceptsType, method }: FetchWish): Promise<Hop> {
  const status = response.statusCode ?? 0;
  const type = (response.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
  const { location } = response.headers;
  if (REDIRECTS.has(status) && location !== undefined) return { status, type, body: NOTHING, location };
  if (status !== OK || maxBytes === 0 || method === 'HEAD') return { status, type, body: NOTHING, location: undefined };
  if (!acceptsType(type)) throw new FetchFault('unusable', `an answer of type ${type.slice(0, 80)}`);
  const encoding = response.headers['content-encoding'] ?? 'identity';
  // A compressed answer was not asked for and is not unpacked: a few bytes can be any number of them.
  if (encoding !== 'identity') throw new FetchFault('unusable', 'a compressed answer');
  const tooLarge = new FetchFault('unusable', `an answer of more than ${maxBytes} bytes`);
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLarge;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge;

    chunks.push(chunk);
  }
  return { status, type, body: Buffer.concat(chunks), location: undefined };
}

/** The promise's value, unless the signal aborts first. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    // Heard in any case: a failure that nobody listens for ends the process.
    void promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
