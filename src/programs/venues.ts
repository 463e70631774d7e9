import type { Address } from '../chain/address.ts';
import { PUMP_EVENTS } from './pump/events.ts';
import { PUMP_EVENT_AUTHORITY, PUMP_PROGRAM } from './pump/ids.ts';
import { PUMP_INSTRUCTIONS } from './pump/instructions.ts';
import { PUMP_AMM_EVENTS } from './pump-amm/events.ts';
import { PUMP_AMM_EVENT_AUTHORITY, PUMP_AMM_PROGRAM } from './pump-amm/ids.ts';
import { PUMP_AMM_INSTRUCTIONS } from './pump-amm/instructions.ts';
import { PUMP_FEES_EVENTS } from './pump-fees/events.ts';
import { PUMP_FEES_EVENT_AUTHORITY, PUMP_FEES_PROGRAM } from './pump-fees/ids.ts';
import { PUMP_FEES_INSTRUCTIONS } from './pump-fees/instructions.ts';

/**
 * The three programs whose instructions and events are read in full. Their
 * discriminators overlap (pump's `buy` is PumpSwap's too), so that nothing is
 * ever told by a discriminator without its program.
 */
export const VENUES = {
  pump: {
    program: PUMP_PROGRAM,
    eventAuthority: PUMP_EVENT_AUTHORITY,
    events: PUMP_EVENTS,
    instructions: PUMP_INSTRUCTIONS,
  },
  pump_amm: {
    program: PUMP_AMM_PROGRAM,
    eventAuthority: PUMP_AMM_EVENT_AUTHORITY,
    events: PUMP_AMM_EVENTS,
    instructions: PUMP_AMM_INSTRUCTIONS,
  },
  pump_fees: {
    program: PUMP_FEES_PROGRAM,
    eventAuthority: PUMP_FEES_EVENT_AUTHORITY,
    events: PUMP_FEES_EVENTS,
    instructions: PUMP_FEES_INSTRUCTIONS,
  },
} as const;

export type VenueName = keyof typeof VENUES;

export const VENUE_NAMES = Object.keys(VENUES) as readonly VenueName[];

const NAMES_BY_PROGRAM: ReadonlyMap<Address, VenueName> = new Map(
  VENUE_NAMES.map((name) => [VENUES[name].program, name]),
);

/** The venue whose program this is. */
export function venueOf(program: Address): VenueName | undefined {
  return NAMES_BY_PROGRAM.get(program);
}
