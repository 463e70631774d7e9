import type { Address } from './address.ts';

/** Programs of the chain itself and of the token standard. */
export const SYSTEM_PROGRAM = '11111111111111111111111111111111' as Address;
export const VOTE_PROGRAM = 'Vote111111111111111111111111111111111111111' as Address;
export const STAKE_PROGRAM = 'Stake11111111111111111111111111111111111111' as Address;
export const CONFIG_PROGRAM = 'Config1111111111111111111111111111111111111' as Address;
export const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111' as Address;
export const ADDRESS_LOOKUP_TABLE_PROGRAM = 'AddressLookupTab1e1111111111111111111111111' as Address;

/** Precompiles: each signature they check costs the base fee too. */
export const ED25519_PROGRAM = 'Ed25519SigVerify111111111111111111111111111' as Address;
export const SECP256K1_PROGRAM = 'KeccakSecp256k11111111111111111111111111111' as Address;
export const SECP256R1_PROGRAM = 'Secp256r1SigVerify1111111111111111111111111' as Address;

export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as Address;
export const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb' as Address;
export const ATA_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL' as Address;
export const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' as Address;
export const MEMO_V1_PROGRAM = 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo' as Address;
export const METADATA_PROGRAM = 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s' as Address;

/** Tokens sent to this owner count as burnt, though the supply does not change. */
export const INCINERATOR = '1nc1nerator11111111111111111111111111111111' as Address;
