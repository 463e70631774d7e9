import type { Address } from '../chain/address.ts';
import { ATA_PROGRAM, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../chain/well-known.ts';
import { ANCHOR_ERRORS } from './anchor-errors.ts';
import { PUMP_ERRORS } from './pump/errors.ts';
import { MAYHEM_PROGRAM, PUMP_PROGRAM } from './pump/ids.ts';
import { PUMP_AMM_ERRORS } from './pump-amm/errors.ts';
import { PUMP_AMM_PROGRAM } from './pump-amm/ids.ts';
import { PUMP_FEES_ERRORS } from './pump-fees/errors.ts';
import { PUMP_FEES_PROGRAM } from './pump-fees/ids.ts';
import { TOKEN_ERRORS } from './spl-token/errors.ts';
import { SYSTEM_ERRORS } from './system/errors.ts';

/** Code of an Anchor program's first own error. */
const ANCHOR_PROGRAM_ERRORS = 6000;

const ANCHOR_PROGRAMS: ReadonlyMap<Address, readonly string[]> = new Map<Address, readonly string[]>([
  [PUMP_PROGRAM, PUMP_ERRORS],
  [PUMP_AMM_PROGRAM, PUMP_AMM_ERRORS],
  [PUMP_FEES_PROGRAM, PUMP_FEES_ERRORS],
  // Its own errors are not published.
  [MAYHEM_PROGRAM, []],
]);

const NATIVE_PROGRAMS: ReadonlyMap<Address, readonly string[]> = new Map<Address, readonly string[]>([
  [TOKEN_PROGRAM, TOKEN_ERRORS],
  [TOKEN_2022_PROGRAM, TOKEN_ERRORS],
  [SYSTEM_PROGRAM, SYSTEM_ERRORS],
  [ATA_PROGRAM, ['InvalidOwner']],
]);

/**
 * Name of a custom error code, as the program's IDL or the framework spells it.
 * The same code means different things in different programs, so that programs
 * without a published table give undefined.
 */
export function errorName(program: Address, code: number): string | undefined {
  const own = ANCHOR_PROGRAMS.get(program);
  if (own !== undefined) return code < ANCHOR_PROGRAM_ERRORS ? ANCHOR_ERRORS[code] : own[code - ANCHOR_PROGRAM_ERRORS];
  return NATIVE_PROGRAMS.get(program)?.[code];
}
