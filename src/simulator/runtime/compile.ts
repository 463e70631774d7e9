import type { Address } from '../../chain/address.ts';
import type { TransactionVersion } from '../../chain/block.ts';
import type { Call, Instruction } from './execution.ts';
import type { AddressTableLookup, CompiledInstruction, InnerInstruction, Message, V1Config } from './transaction.ts';

/** An on-chain address table that v0 messages may point into. */
export interface AddressTable {
  readonly address: Address;
  /** At most 256. */
  readonly entries: readonly Address[];
}

export interface CompiledMessage {
  readonly message: Message;
  /** Static keys, then looked-up writable ones, then looked-up read-only ones. */
  readonly keys: readonly Address[];
  readonly loadedWritable: readonly Address[];
  readonly loadedReadonly: readonly Address[];
  /** Place of an address among the keys; throws for one that the message does not name. */
  indexOf(address: Address): number;
}

interface Role {
  signer: boolean;
  writable: boolean;
  invoked: boolean;
}

/** Orders the account keys of a message as the runtime demands, and points instructions at them. */
export function compileMessage(options: {
  readonly version: TransactionVersion;
  readonly payer: Address;
  readonly instructions: readonly Instruction[];
  readonly blockhash: Uint8Array;
  readonly config: V1Config | undefined;
  readonly tables: readonly AddressTable[];
}): CompiledMessage {
  const roles = collectRoles(options.payer, options.instructions);
  const lookups = options.version === 0 ? lookUp(roles, options.tables) : [];
  const loadedWritable = lookups.flatMap(({ table, writable }) => [...writable].map((at) => table.entries[at]!));
  const loadedReadonly = lookups.flatMap(({ table, readonly }) => [...readonly].map((at) => table.entries[at]!));
  for (const address of [...loadedWritable, ...loadedReadonly]) roles.delete(address);

  const order: Record<'signWrite' | 'signRead' | 'write' | 'read', Address[]> = {
    signWrite: [],
    signRead: [],
    write: [],
    read: [],
  };
  for (const [address, role] of roles) {
    if (role.signer) order[role.writable ? 'signWrite' : 'signRead'].push(address);
    else order[role.writable ? 'write' : 'read'].push(address);
  }
  const staticKeys = [...order.signWrite, ...order.signRead, ...order.write, ...order.read];
  const keys = [...staticKeys, ...loadedWritable, ...loadedReadonly];
  const places = new Map(keys.map((address, index) => [address, index]));
  const indexOf = (address: Address) => {
    const index = places.get(address);
    if (index === undefined) throw new Error(`${address} is not among the keys of the message`);
    return index;
  };
  return {
    keys,
    loadedWritable,
    loadedReadonly,
    indexOf,
    message: {
      version: options.version,
      requiredSignatures: order.signWrite.length + order.signRead.length,
      readonlySigned: order.signRead.length,
      readonlyUnsigned: order.read.length,
      staticKeys,
      blockhash: options.blockhash,
      instructions: options.instructions.map((instruction) => ({
        programIndex: indexOf(instruction.program),
        accounts: Uint8Array.from(instruction.accounts, (meta) => indexOf(meta.address)),
        data: instruction.data,
      })),
      lookups: lookups.map(({ table, writable, readonly }) => ({ table: table.address, writable, readonly })),
      config: options.config,
    },
  };
}

/** Calls below the top level, pointed at the keys of their message. */
export function compileInner(calls: readonly Call[], indexOf: (address: Address) => number): InnerInstruction[] {
  return calls
    .filter((call) => call.depth > 1)
    .map((call): InnerInstruction & CompiledInstruction => ({
      programIndex: indexOf(call.program),
      accounts: Uint8Array.from(call.accounts, indexOf),
      data: call.data,
      outer: call.outer,
      stackHeight: call.depth,
    }));
}

function collectRoles(payer: Address, instructions: readonly Instruction[]): Map<Address, Role> {
  const roles = new Map<Address, Role>([[payer, { signer: true, writable: true, invoked: false }]]);
  const role = (address: Address): Role => {
    let known = roles.get(address);
    if (known === undefined) {
      known = { signer: false, writable: false, invoked: false };
      roles.set(address, known);
    }
    return known;
  };
  for (const instruction of instructions) {
    for (const meta of instruction.accounts) {
      const known = role(meta.address);
      known.signer ||= meta.signer;
      known.writable ||= meta.writable;
    }
    role(instruction.program).invoked = true;
  }
  return roles;
}

/** Moves every key that a table holds into a look-up, except signers and invoked programs, which must be static. */
function lookUp(
  roles: ReadonlyMap<Address, Role>,
  tables: readonly AddressTable[],
): (Omit<AddressTableLookup, 'table'> & { readonly table: AddressTable })[] {
  const taken = new Set<Address>();
  const lookups = tables.map((table) => {
    const writable: number[] = [];
    const readonly: number[] = [];
    table.entries.forEach((address, at) => {
      const role = roles.get(address);
      if (role === undefined || role.signer || role.invoked || taken.has(address)) return;
      taken.add(address);
      (role.writable ? writable : readonly).push(at);
    });
    return { table, writable: Uint8Array.from(writable), readonly: Uint8Array.from(readonly) };
  });
  return lookups.filter(({ writable, readonly }) => writable.length + readonly.length > 0);
}
