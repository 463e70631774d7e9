import type { Address } from '../../chain/address.ts';
import { EVENT_TAG } from '../../programs/discriminator.ts';
import type { InstructionLayout } from '../../programs/instruction-table.ts';
import { discriminatorBytes, encodeLayout } from '../../programs/layout-writer.ts';
import { PUMP_FEES_PROGRAM } from '../../programs/pump-fees/ids.ts';
import { PUMP_FEES_INSTRUCTIONS } from '../../programs/pump-fees/instructions.ts';
import { ByteWriter } from '../byte-writer.ts';
import type { Execution } from '../runtime/execution.ts';
import { type AccountMeta, read } from '../runtime/instruction.ts';

/** Anchor's own code for an account that a program expects and does not find. */
export const ACCOUNT_NOT_INITIALIZED = 3012;

/** Roles of accounts in the instruction, by the names that its IDL gives them; every other account is only read. */
export interface AccountRoles {
  readonly signers: ReadonlySet<string>;
  readonly writable: ReadonlySet<string>;
}

/** Accounts of a venue's instruction in the order of its layout. Throws when a name has no address. */
export function venueAccounts(
  names: string,
  addresses: Readonly<Record<string, Address>>,
  roles: AccountRoles,
): AccountMeta[] {
  return names.split(' ').map((name) => {
    const address = addresses[name];
    if (address === undefined) throw new Error(`no address for the account ${name}`);
    return { address, signer: roles.signers.has(name), writable: roles.writable.has(name) };
  });
}

/** The names of an instruction's accounts, the longest list of remaining ones included. */
export function accountNames(layout: InstructionLayout, remaining?: string): string {
  return remaining === undefined ? layout.accounts : `${layout.accounts} ${remaining}`;
}

const EVENT_TAG_BYTES = discriminatorBytes(EVENT_TAG);

/** Publishes an event both ways: on the log, and as a call of the program to itself. Returns that call's place. */
export function emitEvent(execution: Execution, eventAuthority: Address, event: Uint8Array): number {
  execution.logData(event);
  return execution.invoke({
    program: execution.program,
    accounts: [read(eventAuthority)],
    data: new ByteWriter(8 + event.length).bytes(EVENT_TAG_BYTES).bytes(event).finish(),
  });
}

/** Basis points of a trade's fees. */
export interface FeeRates {
  readonly lp: bigint;
  readonly protocol: bigint;
  readonly creator: bigint;
}

/** Every trade asks the fee program for its rates, which answers through return data. */
export function askFees(
  execution: Execution,
  options: {
    readonly feeConfig: Address;
    readonly isPool: boolean;
    readonly marketCap: bigint;
    readonly quote: Address;
  },
  rates: FeeRates,
): void {
  const layout = PUMP_FEES_INSTRUCTIONS.get_fees_with_quote_mint;
  execution.invoke({
    program: PUMP_FEES_PROGRAM,
    accounts: [read(options.feeConfig), read(execution.program)],
    data: encodeLayout(layout, {
      isPumpPool: options.isPool,
      marketCapLamports: options.marketCap,
      quoteMint: options.quote,
    }),
    run(inner) {
      inner.log('Instruction: GetFeesWithQuoteMint');
      inner.returnData(new ByteWriter(24).u64(rates.lp).u64(rates.protocol).u64(rates.creator).finish());
    },
  });
}
