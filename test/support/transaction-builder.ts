import type { Address } from '../../src/chain/address.ts';
import type {
  Block,
  Instruction,
  MessageConfig,
  TokenBalance,
  Transaction,
  TransactionError,
} from '../../src/chain/block.ts';
import { encodeAddress } from '../../src/chain/keys/base58.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../src/chain/well-known.ts';
import { type EventData, type EventName, encodeEvent, eventInstructionData } from '../../src/programs/program-event.ts';
import {
  encodeInstruction,
  type InstructionArgs,
  type InstructionName,
  instructionAccounts,
} from '../../src/programs/venue-instruction.ts';
import { VENUES, type VenueName } from '../../src/programs/venues.ts';

/** Transactions from what they call and move, without bytes: for tests of what is derived from them. */
export interface TransactionSpec {
  /** The first pays. */
  readonly signers: readonly Address[];
  readonly calls: readonly CallSpec[];
  /** Lamports before and after; accounts that are not named keep one lamport. */
  readonly lamports?: readonly LamportSpec[];
  readonly tokens?: readonly TokenSpec[];
  readonly error?: TransactionError;
  readonly logs?: readonly string[];
  readonly fee?: bigint;
  readonly config?: MessageConfig | null;
  /** False when the source recorded top-level calls alone. */
  readonly hasInnerInstructions?: boolean;
}

export interface CallSpec {
  readonly program: Address;
  readonly accounts?: readonly Address[];
  readonly data?: Uint8Array;
  readonly calls?: readonly CallSpec[];
}

export interface LamportSpec {
  readonly account: Address;
  readonly pre: bigint;
  readonly post: bigint;
}

export interface TokenSpec {
  readonly account?: Address;
  readonly mint: Address;
  readonly owner: Address;
  /** The new owner of an account that changed hands. */
  readonly newOwner?: Address;
  readonly decimals?: number;
  readonly pre: bigint;
  readonly post: bigint;
}

let made = 0;

/** An address that nothing else has, the same in every run of a test file. */
export function someAddress(): Address {
  const bytes = new Uint8Array(32).fill(7);
  new DataView(bytes.buffer).setUint32(1, ++made);
  return encodeAddress(bytes);
}

export function buildTransaction(spec: TransactionSpec, index = 0): Transaction {
  const keys: Address[] = [...spec.signers];
  const keyIndex = (address: Address): number => {
    const known = keys.indexOf(address);
    return known >= 0 ? known : keys.push(address) - 1;
  };
  const instructions: Instruction[] = [];
  spec.calls.forEach((call, outer) => {
    flatten(call, -1, 1, outer, instructions, keyIndex);
  });
  const tokenBalances = (spec.tokens ?? []).map((token) => tokenBalance(token, keyIndex));
  for (const { account } of spec.lamports ?? []) keyIndex(account);
  const { pre, post } = lamportBalances(keys, spec.lamports ?? []);
  const logs = spec.logs ?? [];
  return {
    index,
    signature: new Uint8Array(64).fill(index + 1),
    signatureCount: spec.signers.length,
    version: spec.config === undefined ? 0 : 1,
    config: spec.config,
    error: spec.error ?? null,
    fee: spec.fee ?? 5_000n,
    keys: {
      length: keys.length,
      at: (i) => keys[i]!,
      indexOf: (address) => keys.indexOf(address),
      find: ({ address }) => keys.indexOf(address),
    },
    signerCount: spec.signers.length,
    instructions,
    preBalances: pre,
    postBalances: post,
    tokenBalances,
    logs: { present: spec.logs !== undefined, length: logs.length, at: (i) => logs[i]! },
    hasInnerInstructions: spec.hasInnerInstructions ?? true,
  };
}

export function buildBlock(transactions: readonly TransactionSpec[], overrides: Partial<Block> = {}): Block {
  return {
    slot: 400_000_000,
    blockhash: 'blockhash',
    parentSlot: 399_999_999,
    blockTime: 1_770_000_000,
    transactions: transactions.map(buildTransaction),
    transactionCount: transactions.length,
    voteCount: 0,
    whole: true,
    ...overrides,
  };
}

function flatten(
  call: CallSpec,
  parent: number,
  depth: number,
  outer: number,
  instructions: Instruction[],
  keyIndex: (address: Address) => number,
): void {
  const index = instructions.length;
  instructions.push({
    index,
    parent,
    depth,
    outer,
    programIndex: keyIndex(call.program),
    accounts: (call.accounts ?? []).map(keyIndex),
    data: call.data ?? new Uint8Array(0),
    tag: call.data?.[0] ?? -1,
  });
  for (const inner of call.calls ?? []) flatten(inner, index, depth + 1, outer, instructions, keyIndex);
}

function tokenBalance(token: TokenSpec, keyIndex: (address: Address) => number): TokenBalance {
  return {
    accountIndex: keyIndex(token.account ?? someAddress()),
    mint: token.mint,
    preOwner: token.owner,
    postOwner: token.newOwner ?? token.owner,
    decimals: token.decimals ?? 6,
    pre: token.pre,
    post: token.post,
  };
}

function lamportBalances(keys: readonly Address[], specs: readonly LamportSpec[]): { pre: bigint[]; post: bigint[] } {
  const of = (key: Address, side: 'pre' | 'post'): bigint => specs.find((spec) => spec.account === key)?.[side] ?? 1n;
  return { pre: keys.map((key) => of(key, 'pre')), post: keys.map((key) => of(key, 'post')) };
}

/** A venue's instruction. Accounts that are not named are made up, each once per call. */
export function venueCall<V extends VenueName, N extends InstructionName<V>>(
  venue: V,
  name: N,
  args: InstructionArgs<V, N>,
  accounts: Readonly<Record<string, Address>>,
  calls: readonly CallSpec[] = [],
): CallSpec {
  return {
    program: VENUES[venue].program,
    accounts: instructionAccounts(venue, name).map((account) => accounts[account] ?? someAddress()),
    data: encodeInstruction(venue, name, args),
    calls,
  };
}

/** The self-CPI by which a venue publishes an event. */
export function eventCall<V extends VenueName, N extends EventName<V>>(
  venue: V,
  name: N,
  data: EventData<V, N>,
): CallSpec {
  return rawEventCall(venue, encodeEvent(venue, name, data));
}

/** As `eventCall`, of bytes from a log line. */
export function rawEventCall(venue: VenueName, event: Uint8Array): CallSpec {
  const { program, eventAuthority } = VENUES[venue];
  return { program, accounts: [eventAuthority], data: eventInstructionData(event) };
}

export function lamportTransfer(from: Address, to: Address, lamports: bigint): CallSpec {
  const data = new Uint8Array(12);
  const view = new DataView(data.buffer);
  view.setUint32(0, 2, true);
  view.setBigUint64(4, lamports, true);
  return { program: SYSTEM_PROGRAM, accounts: [from, to], data };
}

export function transfer(from: Address, to: Address, authority: Address, amount: bigint): CallSpec {
  const data = new Uint8Array(9);
  data[0] = 3;
  new DataView(data.buffer).setBigUint64(1, amount, true);
  return { program: TOKEN_PROGRAM, accounts: [from, to, authority], data };
}

export function burn(account: Address, mint: Address, authority: Address, amount: bigint): CallSpec {
  const data = new Uint8Array(9);
  data[0] = 8;
  new DataView(data.buffer).setBigUint64(1, amount, true);
  return { program: TOKEN_PROGRAM, accounts: [account, mint, authority], data };
}

export function customError(instructionIndex: number, customCode: number): TransactionError {
  return { kind: 'InstructionError', instructionIndex, instructionError: 'Custom', customCode };
}
