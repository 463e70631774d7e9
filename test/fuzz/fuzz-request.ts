import type { RouteContract } from '../../src/contract/route.ts';
import type { Caller } from './caller.ts';

/** One request, made from a contract or against all of them, with what is known of it beforehand. */
export interface FuzzRequest {
  /** Its place in the run: with the seed it makes the same request again. */
  readonly index: number;
  readonly caller: Caller;
  /** Loopback address that it comes from. */
  readonly address: string;
  readonly method: string;
  /** Path and query as they are sent. */
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer | undefined;
  /** All of it, as it goes over the wire. */
  readonly bytes: Buffer;
  /** The contract that it was made from. */
  readonly route: RouteContract;
  /**
   * The part that it must meet: its `route`; a `method` that the path does not know; `anything` that is declared, for a
   * path that may lead elsewhere; or the `parser`, because it is no HTTP.
   */
  readonly meets: 'route' | 'method' | 'anything' | 'parser';
  /** Every parameter, and the body, is one that the contract takes. */
  readonly isAcceptable: boolean;
  /** Credits that it costs at most; undefined when that cannot be told from outside. */
  readonly price: number | undefined;
}

/** The request as a command that somebody can repeat. */
export function asCurl({ method, target, headers, body, bytes, meets, address }: FuzzRequest, port: number): string {
  if (meets === 'parser') {
    return `printf ${quote(escapeBytes(bytes))} | nc -s ${address} 127.0.0.1 ${port}`;
  }
  const words = ['curl', '-sS', '--path-as-is', '-i', '-X', method, '--interface', address];
  if (method === 'HEAD') words.push('-I');
  for (const [name, value] of headers) {
    if (!CURLS_OWN.includes(name.toLowerCase())) words.push('-H', quote(`${name}: ${value.slice(0, SHOWN_BYTES)}`));
  }
  if (body !== undefined) {
    return `printf ${quote(escapeBytes(body))} | ${words.join(' ')} --data-binary @- ${quote(`http://127.0.0.1:${port}${target}`)}`;
  }
  return `${words.join(' ')} ${quote(`http://127.0.0.1:${port}${target}`)}`;
}

const CURLS_OWN = ['host', 'content-length', 'transfer-encoding'];
/** Of a body or of broken bytes: the seed and the index bring back the rest. */
const SHOWN_BYTES = 500;

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** For printf: what a terminal would obey, and its own signs, as octal numbers. */
function escapeBytes(bytes: Buffer): string {
  return bytes
    .subarray(0, SHOWN_BYTES)
    .toString('latin1')
    .replace(/[^ -~]|[\\%]/g, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`);
}
