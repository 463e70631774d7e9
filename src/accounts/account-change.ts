/** Something about an account that whoever serves it must obey within a second. */
export type AccountChange =
  | { readonly kind: 'account'; readonly accountId: number }
  | { readonly kind: 'key'; readonly accountId: number; readonly keyId: number }
  | { readonly kind: 'credits'; readonly accountId: number }
  | { readonly kind: 'session'; readonly accountId: number }
  | { readonly kind: 'stream'; readonly accountId: number; readonly streamId: number };

/** More changed than can be told one by one: whatever is remembered has to be looked up again. */
export interface EverythingChanged {
  readonly kind: 'everything';
}
