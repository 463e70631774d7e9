import type { Address } from '../../chain/address.ts';

/** PumpSwap, the AMM that coins graduate to. */
export const PUMP_AMM_PROGRAM = 'pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA' as Address;
/** The only account of its self-CPI events. */
export const PUMP_AMM_EVENT_AUTHORITY = 'GS4CU59F31iL7aR2Q8zVS8DRrcRnXX1yjQ66TqNVQnaR' as Address;

export const PUMP_AMM_GLOBAL_CONFIG = 'ADyA8hdefvWN2dbGGWFotbzWxrAvLW83WG6QCVXvJKqw' as Address;
export const PUMP_AMM_FEE_CONFIG = '5PHirr8joyTMp9JMm6nW7hNDVyEYdkzDqazxPD7RaTjx' as Address;
export const PUMP_AMM_GLOBAL_VOLUME_ACCUMULATOR = 'C2aFPdENg4A2HQsmrd5rTw5TaYBX5Ku887cWjbFKtZpw' as Address;
