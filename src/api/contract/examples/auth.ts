import type { Nonce, PageSession, SignedIn } from '../resources/auth.ts';

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
