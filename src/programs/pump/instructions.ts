import { OTHER_INSTRUCTIONS } from './other-instructions.ts';
import { TRADE_INSTRUCTIONS } from './trade-instructions.ts';

/** Every instruction the bonding curve program has or has had. */
export const PUMP_INSTRUCTIONS = { ...TRADE_INSTRUCTIONS, ...OTHER_INSTRUCTIONS } as const;
