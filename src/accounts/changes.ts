/** Something about an account that whoever serves it must obey within a second. */
export type AccountChange =
  | { readonly kind: 'account'; readonly accountId: number }
  | { readonly kind: 'key'; readonly accountId: number; readonly keyId: number }
  | { readonly kind: 'credits'; readonly accountId: number }
  | { readonly kind: 'session'; readonly accountId: number }
  | { readonly kind: 'stream'; readonly accountId: number; readonly streamId: number };

/** Tells of changes, whichever process made them. The same change may be told twice. */
export interface AccountChanges {
  /** Returns what stops it. */
  listen(heard: (change: AccountChange) => void): () => void;
  /** Milliseconds since the last time changes of other processes were read; what is cached is surely true no longer than that ago. */
  readonly ageMs: number;
}
