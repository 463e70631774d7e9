/**
 * Known programs, mints and wallets of the chain: look-ups over the data files of this folder, each with its
 * confidence; rows of low confidence are kept but never told.
 */
export type { Confidence } from './entry.ts';
export type { KnownProgram, ProgramKind } from './known-programs.ts';
export { findProgram, routerName } from './known-programs.ts';
export type { Equity, QuoteClass, QuoteMint } from './mints.ts';
export { EQUITIES, equity, QUOTE_MINTS, quoteMint } from './mints.ts';
export type { TipAccount, TipProvider } from './tips.ts';
export { TIP_PROVIDERS, tipProvider } from './tips.ts';
export type { ExchangeWallet, FeeWallet, Institution } from './wallets.ts';
export { exchangeWallet, feeWallet, institution, isProtocolActor, PROTOCOL_ACTOR_WALLETS } from './wallets.ts';
