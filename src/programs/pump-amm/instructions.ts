import { OTHER_INSTRUCTIONS } from './other-instructions.ts';
import { POOL_INSTRUCTIONS } from './pool-instructions.ts';

/** Every instruction PumpSwap has or has had. */
export const PUMP_AMM_INSTRUCTIONS = { ...POOL_INSTRUCTIONS, ...OTHER_INSTRUCTIONS } as const;
