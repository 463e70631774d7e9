/** Structs that the three programs' layouts share. Amounts of fees are basis points. */

export const FEES = { struct: { lpFeeBps: 'u64', protocolFeeBps: 'u64', creatorFeeBps: 'u64' } } as const;

/** Fees of coins whose market cap, in lamports or raw quote units, is at least the threshold. */
export const FEE_TIER = { struct: { marketCapLamportsThreshold: 'u128', fees: FEES } } as const;

export const SHAREHOLDER = { struct: { address: 'address', shareBps: 'u16' } } as const;
