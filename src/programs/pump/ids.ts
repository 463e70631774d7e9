import type { Address } from '../../chain/address.ts';

/** The bonding curve program of pump.fun. */
export const PUMP_PROGRAM = '6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P' as Address;
/** The only account of its self-CPI events. */
export const PUMP_EVENT_AUTHORITY = 'Ce6TQqeHC9p8KetsN6JsjHK7UTZk7nasjjnr7XxXp9F1' as Address;

export const PUMP_GLOBAL = '4wTV1YmiEkRvAtNtsSGPtUrqRYQMe5SKy2uB4Jjaxnjf' as Address;
export const PUMP_FEE_CONFIG = '8Wf5TiAheLUqBrKXeYg2JtAFFMWtKdG2BSFgqUcPVwTt' as Address;
export const PUMP_QUOTE_CONTROL = '6z6GDdfb2AjR9ZhJmAUQ5cipJCVxQvLJhB2H8mCwTFBP' as Address;
export const PUMP_GLOBAL_VOLUME_ACCUMULATOR = 'Hq2wp8uJ9jCPsYgNHex8RtqdvMPfVGoYwjvF1ATiwn2Y' as Address;
export const PUMP_MINT_AUTHORITY = 'TSLvdd1pWpHVjahSpsvCXUbgwsL3JAcvokwaKt1eokM' as Address;
/** Signs most migrations; anyone may. */
export const PUMP_MIGRATOR = '39azUYFWPz3VHgKCf3VChUwbpURdCHRxjWVowf5jUJjg' as Address;

/** Runs the agent that trades mayhem coins in their first day. */
export const MAYHEM_PROGRAM = 'MAyhSmzXzV1pTf7LsNkrNwkWKTo4ougAJ1PPg47MD4e' as Address;
export const MAYHEM_GLOBAL_PARAMS = '13ec7XdrjF3h3YcqBTFDSReRcUFwbCnJaAQspM4j6DDJ' as Address;
/** The agent's wallet: the `user` of its trades. */
export const MAYHEM_SOL_VAULT = 'BwWK17cbHxwWBKZkUYvzxLcNQ1YVyaFezduWbtm2de6s' as Address;

/** Address in the place of the former rent parameter, which tells old account orders. */
export const RENT_SYSVAR = 'SysvarRent111111111111111111111111111111111' as Address;

/** Every coin of the curve has them; mayhem coins have twice the supply minted. */
export const COIN_DECIMALS = 6;
