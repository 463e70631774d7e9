import type { Address } from '../../chain/address.ts';
import type { Bank } from '../bank.ts';
import { encodeMessage } from '../encode-message.ts';
import type { Keyring } from '../keyring.ts';
import type { Tip, TradeRequest } from '../truth.ts';
import {
  asV1Budget,
  budgetInstructions,
  isBuiltin,
  LAMPORTS_PER_SIGNATURE,
  priorityFee,
  unitLimit,
  v1Config,
} from './budget.ts';
import { type AddressTable, type CompiledMessage, compileInner, compileMessage } from './compile.ts';
import { Execution, type Instruction } from './execution.ts';
import type { TransactionPlan } from './plan.ts';
import type { TransactionRecord } from './record.ts';
import type { LandedTransaction, TokenBalanceEntry, TransactionMeta } from './transaction.ts';

/** Holds a block's fees until its leader is paid. No key can be this long, so that no transaction names it. */
export const FEE_POT = 'the fees of the block that is being made' as Address;

/** Place and time at which transactions land. */
export interface LandingContext {
  readonly bank: Bank;
  readonly keyring: Keyring;
  readonly tables: readonly AddressTable[];
  readonly unixTime: number;
  /** 32 bytes. */
  readonly blockhash: Uint8Array;
}

export interface Landing {
  readonly plan: TransactionPlan;
  /** The trade that it was after, when no recorded instruction tells. */
  readonly wanted: ReturnType<NonNullable<TransactionPlan['wanted']>> | undefined;
  readonly transaction: LandedTransaction;
  readonly record: TransactionRecord;
  /** Lamports of `meta.fee` above the base fee. */
  readonly priorityFee: bigint;
  /** Trades that recorded instructions ask for, with their pre-order places. */
  readonly trades: readonly (TradeRequest & { readonly ixIndex: number; readonly router: Address | undefined })[];
  /** Tips that recorded instructions declare, in pre-order; paid unless the transaction reverted. */
  readonly tips: readonly Tip[];
  /** Length of the recorded call tree. */
  readonly callCount: number;
}

/** Longest legacy or v0 transaction, in bytes; v1 takes up to 4,096. */
const MAX_PACKET_BYTES = 1_232;
const SIGNATURE_BYTES = 64;

/** Builds, signs and runs a transaction in the bank. Undefined when it was not sent, or its payer cannot pay the fee. */
export function land(plan: TransactionPlan, context: LandingContext): Landing | undefined {
  const { blockhash, bank, tables } = context;
  const body = plan.build();
  if (body === undefined) return undefined;
  const wanted = plan.wanted?.();
  const { budget, payer, version } = plan;
  const instructions = [...budgetInstructions(version, budget), ...body];
  const config = v1Config(version, budget);
  const compiled = compileMessage({ version, payer: payer.address, instructions, blockhash, config, tables });
  const { message } = compiled;
  const messageBytes = encodeMessage(message);
  const limit = unitLimit(version, budget, instructions);
  if (version !== 1 && messageBytes.length + 1 + message.requiredSignatures * SIGNATURE_BYTES > MAX_PACKET_BYTES) {
    // Too much for the older formats: a sender would take the newer one.
    return land({ ...plan, version: 1, budget: asV1Budget(version, budget, limit), build: () => body }, context);
  }
  const priority = priorityFee(version, budget, limit);
  const fee = LAMPORTS_PER_SIGNATURE * BigInt(message.requiredSignatures) + priority;
  if (bank.lamports(payer.address) < fee) return undefined;

  const before = balancesOf(compiled, bank);
  bank.moveLamports(payer.address, FEE_POT, fee);
  const execution = new Execution({ bank, unixTime: context.unixTime, computeUnitLimit: limit, isBuiltin });
  const failure = run(plan, execution, instructions);
  const meta = metaOf(compiled, execution, { failure, fee, before, after: balancesOf(compiled, bank), limit });
  return {
    plan,
    wanted,
    record: execution.record,
    priorityFee: priority,
    ...readRequests(instructions, execution),
    callCount: instructions.length + (meta.inner?.length ?? 0),
    transaction: {
      message,
      messageBytes,
      signatures: signAll(plan, compiled, messageBytes, context.keyring),
      isVote: plan.actor === 'vote',
      hidesConfig: plan.hidesConfig ?? false,
      meta,
    },
  };
}

interface Balances {
  readonly lamports: bigint[];
  readonly tokens: TokenBalanceEntry[];
}

function metaOf(
  compiled: CompiledMessage,
  execution: Execution,
  outcome: Pick<TransactionMeta, 'failure' | 'fee'> & {
    readonly before: Balances;
    readonly after: Balances;
    readonly limit: number;
  },
): TransactionMeta {
  const { after, before, failure, fee } = outcome;
  // A load failure is charged, and leaves no record of a run.
  const ran = failure === undefined || 'outer' in failure;
  return {
    failure,
    fee,
    keys: compiled.keys,
    loadedWritable: compiled.loadedWritable,
    loadedReadonly: compiled.loadedReadonly,
    preBalances: before.lamports,
    postBalances: after.lamports,
    preTokenBalances: before.tokens,
    postTokenBalances: after.tokens,
    inner: ran ? compileInner(execution.calls, compiled.indexOf) : undefined,
    logs: ran ? execution.logs.lines : undefined,
    unitsConsumed: execution.unitsConsumed(outcome.limit),
  };
}

function run(
  plan: TransactionPlan,
  execution: Execution,
  instructions: readonly Instruction[],
): TransactionMeta['failure'] {
  if (plan.loadFailure !== undefined) return { kind: plan.loadFailure };
  const { bank } = execution;
  bank.begin();
  const failure = execution.run(instructions);
  if (failure === undefined) {
    bank.commit();
    return undefined;
  }
  bank.rollback();
  execution.record.revert();
  return failure;
}

/**
 * Reads the trades and tips asked for: at top level all of them, reached or not; further down those recorded before a
 * revert.
 */
function readRequests(
  instructions: readonly Instruction[],
  execution: Execution,
): { readonly trades: Landing['trades']; readonly tips: readonly Tip[] } {
  const trades: Landing['trades'][number][] = [];
  const tips: Tip[] = [];
  let ixIndex = 0;
  const note = ({ tip, trade }: Pick<Instruction, 'trade' | 'tip'>, router: Address | undefined) => {
    if (trade !== undefined) trades.push({ ...trade, ixIndex, router });
    if (tip !== undefined) tips.push(tip);
    ixIndex++;
  };
  for (let outer = 0; outer < instructions.length; outer++) {
    const top = instructions[outer]!;
    note(top, undefined);
    for (const call of execution.calls) if (call.outer === outer && call.depth > 1) note(call, top.program);
  }
  return { trades, tips };
}

function balancesOf({ keys }: CompiledMessage, bank: Bank): Balances {
  const tokens: TokenBalanceEntry[] = [];
  const lamports = keys.map((address, accountIndex) => {
    const account = bank.tokenAccount(address);
    if (account !== undefined) {
      const { mint, owner, amount } = account;
      const { decimals, tokenProgram } = bank.mint(mint);
      tokens.push({ accountIndex, mint, owner, tokenProgram, decimals, amount });
    }
    return bank.lamports(address);
  });
  return { lamports, tokens };
}

function signAll(
  plan: TransactionPlan,
  { message }: CompiledMessage,
  messageBytes: Uint8Array,
  keyring: Keyring,
): Uint8Array[] {
  const wallets = [plan.payer, ...(plan.cosigners ?? [])];
  return message.staticKeys.slice(0, message.requiredSignatures).map((address) => {
    const wallet = wallets.find((candidate) => candidate.address === address);
    if (wallet === undefined) throw new Error(`${plan.actor}: no key for the signer ${address}`);
    return keyring.sign(wallet, messageBytes);
  });
}
