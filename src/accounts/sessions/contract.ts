import { type Static, Type } from 'typebox';
import { addressField, textField } from '../../contract/fields.ts';
import { FREE } from '../../contract/price.ts';
import { defineRoute, type RouteContract } from '../../contract/route.ts';
import { Address, Count, Done, Text, Timestamp } from '../../contract/scalars.ts';

export const Nonce = Type.Object(
  {
    nonce: Text('Names this attempt to sign in. It is used up by the first verification, whatever comes of it.'),
    message: Text('What the wallet signs, to the byte.'),
    expires_at: Timestamp('Until then the signature must be here.'),
  },
  { $id: 'Nonce' },
);
export type Nonce = Static<typeof Nonce>;

export const SignedIn = Type.Object(
  {
    wallet: Address('Who has signed in.'),
    account_id: Count('The account of the wallet.'),
    created: Type.Boolean({ description: 'The account was made just now.' }),
    first_key: Type.Optional(Text('The first API key of a new account. It is shown this once.')),
  },
  { $id: 'SignedIn' },
);
export type SignedIn = Static<typeof SignedIn>;

export const PageSession = Type.Object(
  { expires_at: Timestamp('Until then pages at this address may read.') },
  { $id: 'PageSession' },
);
export type PageSession = Static<typeof PageSession>;

const WALLET = 'GwAF45zjfyGzUbd3i3hXxzGeuchzEZXwpRYHZM5912F1';

export const nonceExample: Nonce = {
  nonce: '7VJqLfc3aeQvWUSgNPdrDt',
  message: `mintscope.example wants you to sign in with your Solana account:
${WALLET}

Sign in to mintscope. This costs nothing and sends no transaction.

URI: https://mintscope.example
Version: 1
Chain ID: mainnet
Nonce: 7VJqLfc3aeQvWUSgNPdrDt
Issued At: 2026-11-21T11:00:00.000Z
Expiration Time: 2026-11-21T11:05:00.000Z`,
  expires_at: '2026-11-21T11:05:00.000Z',
};

export const newcomerExample: SignedIn = {
  wallet: WALLET,
  account_id: 17,
  created: true,
  first_key: 'ms_live_EXAMPLEonLyNotAKeyXXXXXXXXXXXXXXXXXXXXXXXXXXXX',
};

export const returningExample: SignedIn = { wallet: WALLET, account_id: 17, created: false };

export const pageSessionExample: PageSession = { expires_at: '2026-11-21T23:00:00.000Z' };

/** Longer than any message that says no more than ours. */
const MAX_MESSAGE = 2_048;
/** Base58 of 64 bytes. */
const SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/;
const MIN_SIGNATURE = 64;
const MAX_SIGNATURE = 88;

const wallet = addressField('invalid_wallet', 'The wallet that signs in.');

/** Settings shared by all routes of sign-in. */
const AUTH_ROUTE = { method: 'POST', tag: 'accounts', price: FREE, cacheControl: 'no-store' } as const;

export const createNonce = defineRoute({
  ...AUTH_ROUTE,
  path: '/auth/nonce',
  name: 'createNonce',
  summary: 'Ask for a message to sign in with',
  description:
    'A message of Sign In With Solana with a nonce that is used once and lives five minutes. A wallet that has `signIn` may write the text itself from the same fields: what it leaves out besides domain, address and nonce is as we said, and what it writes must say what we said.',
  access: 'public',
  limitedAs: 'sign_in',
  body: { wallet },
  response: Nonce,
  examples: { nonce: nonceExample },
});

export const verifySignIn = defineRoute({
  ...AUTH_ROUTE,
  path: '/auth/verify',
  name: 'verifySignIn',
  summary: 'Sign in with the signature of a wallet',
  description:
    'Opens a session, whose cookie lives 12 hours after its last use and 7 days at most. The first time it makes the account of the wallet with its first API key, which is shown this once. An account has at most ten sessions: the oldest ends.',
  access: 'public',
  limitedAs: 'sign_in',
  body: {
    wallet,
    message: textField({ description: 'What was signed, to the byte.', maximum: MAX_MESSAGE, lines: true }),
    signature: textField({
      description: 'Ed25519 over the message, base58.',
      minimum: MIN_SIGNATURE,
      maximum: MAX_SIGNATURE,
      pattern: SIGNATURE,
      expected: 'must be base58 of 64 bytes',
    }),
  },
  response: SignedIn,
  errors: ['invalid_nonce', 'invalid_signature', 'account_banned', 'account_not_ready', 'account_suspended'],
  examples: { newcomer: newcomerExample, returning: returningExample },
});

export const logOut = defineRoute({
  ...AUTH_ROUTE,
  path: '/auth/logout',
  name: 'logOut',
  summary: 'End the session',
  description: 'Also one of an account that is suspended or banned, which may do nothing else.',
  access: 'session',
  inAnyState: true,
  response: Done,
  examples: { done: { ok: true } },
});

export const openPageSession = defineRoute({
  ...AUTH_ROUTE,
  path: '/auth/page-session',
  name: 'openPageSession',
  summary: 'Let pages of the web application read without a key',
  description:
    'Of our own origin’s pages only. The session is nobody’s and bound to the address that opened it; what pages show is read in it free of charge, at five requests a second for the address, whoever asks from there.',
  access: 'public',
  ownPagesOnly: true,
  response: PageSession,
  examples: { opened: pageSessionExample },
});

/** Signing in with a wallet, and out. */
export const AUTH_ROUTES: readonly RouteContract[] = [createNonce, verifySignIn, logOut, openPageSession];
