import { parseRfc3339 } from '../../contract/time.ts';
import { domainOf, type OwnOrigin } from './own-origin.ts';
import type { SignInMessage } from './sign-in-message.ts';

/** Sentence that a wallet shows before it signs. */
const STATEMENT = 'Sign in to mintscope. This costs nothing and sends no transaction.';
const VERSION = '1';
const CHAIN = 'mainnet';
/** Two names of one chain. */
const CHAINS: readonly (string | undefined)[] = [CHAIN, `solana:${CHAIN}`];
/** Milliseconds by which a wallet's clock may be ahead of ours. */
const CLOCK_SKEW_MS = 60_000;

/** The nonce that was handed out to a wallet. */
export interface IssuedNonce {
  readonly nonce: string;
  readonly wallet: string;
  /** Unix milliseconds. */
  readonly expiresAt: number;
}

/** The message that we ask a wallet to sign. */
export function composeSignIn(issued: IssuedNonce, origin: string, issuedAt: number): SignInMessage {
  return {
    domain: domainOf(origin),
    address: issued.wallet,
    statement: STATEMENT,
    uri: origin,
    version: VERSION,
    chainId: CHAIN,
    nonce: issued.nonce,
    issuedAt: new Date(issuedAt).toISOString(),
    expirationTime: new Date(issued.expiresAt).toISOString(),
  };
}

/**
 * Returns what is wrong with a message that is to answer an issued nonce; undefined when it means the same as ours. A
 * wallet may write the text itself: parts that it leaves out, besides domain, address and nonce, count as ours, and
 * parts that it writes must say what ours say.
 */
export function faultOfSignIn(
  message: SignInMessage,
  issued: IssuedNonce,
  own: OwnOrigin,
  now: number,
): string | undefined {
  const { domain, address, nonce, statement = STATEMENT, version = VERSION, chainId = CHAIN } = message;
  if (!own.isDomain(domain)) return 'is for another domain';
  if (address !== issued.wallet) return 'is of another wallet';
  if (nonce !== issued.nonce) return 'has another nonce';
  if (message.uri !== undefined && !isOwnUri(message.uri, own)) return 'is for another URI';
  if (statement !== STATEMENT) return 'states something else';
  if (version !== VERSION) return 'is of another version';
  if (!CHAINS.includes(chainId)) return 'is for another chain';
  if (issued.expiresAt <= now || !isAt(message.expirationTime, issued.expiresAt)) return 'has another expiry';
  const { notBefore, requestId, resources } = message;
  if (notBefore !== undefined || requestId !== undefined || resources !== undefined) return 'says more than was asked';
  return isIssuedBy(message.issuedAt, now + CLOCK_SKEW_MS) ? undefined : 'is issued in the future';
}

function isOwnUri(uri: string, own: OwnOrigin): boolean {
  return URL.canParse(uri) && own.isOrigin(new URL(uri).origin);
}

/** True when a time is this moment, however it is written, or is left out. */
function isAt(time: string | undefined, moment: number): boolean {
  return time === undefined || parseRfc3339(time) === moment;
}

function isIssuedBy(time: string | undefined, latest: number): boolean {
  return time === undefined || (parseRfc3339(time) ?? Number.POSITIVE_INFINITY) <= latest;
}
