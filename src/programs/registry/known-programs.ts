import type { Address } from '../../chain/address.ts';
import type { Confidence } from './entry.ts';
import { entriesOf, indexEntries, trustedRows } from './entry.ts';
import data from './known-programs.json' with { type: 'json' };

export type ProgramKind =
  | 'aggregator'
  | 'terminal_router'
  | 'bot_router'
  | 'mev_bot'
  | 'amm'
  | 'prop_amm'
  | 'launchpad'
  | 'vault'
  | 'jito'
  | 'guard'
  | 'support'
  | 'terminal_support';

export interface KnownProgram {
  readonly address: Address;
  readonly name: string;
  readonly kind: ProgramKind;
  readonly confidence: Confidence;
}

const PROGRAMS = indexEntries(trustedRows(entriesOf<KnownProgram>(data)), (program) => program.address);

const ROUTER_KINDS: ReadonlySet<ProgramKind> = new Set(['aggregator', 'terminal_router', 'bot_router', 'mev_bot']);

export function findProgram(address: Address): KnownProgram | undefined {
  return PROGRAMS.get(address);
}

/** Name of a router, trading terminal or bot. */
export function routerName(program: Address): string | undefined {
  const known = PROGRAMS.get(program);
  if (known === undefined || !ROUTER_KINDS.has(known.kind)) return undefined;
  return known.name;
}
