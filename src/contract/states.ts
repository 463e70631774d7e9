export const KEY_STATES = ['active', 'suspended', 'revoked'] as const;
export type KeyState = (typeof KEY_STATES)[number];

export const ACCOUNT_STATES = ['active', 'not_ready', 'suspended', 'banned'] as const;
export type AccountState = (typeof ACCOUNT_STATES)[number];
