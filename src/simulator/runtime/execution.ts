import type { Address } from '../../chain/address.ts';
import { type Bank, BankError } from '../bank.ts';
import type { Tip, TradeRequest } from '../truth.ts';
import type { AccountMeta } from './instruction.ts';
import { LogBook } from './log-book.ts';
import { TransactionRecord } from './record.ts';

/** One recorded call, in the order of execution: its place in the list is the chain's pre-order index. */
export interface Call {
  readonly program: Address;
  readonly accounts: readonly Address[];
  readonly data: Uint8Array;
  /** 1 at top level. */
  readonly depth: number;
  /** Index of the top-level instruction it belongs to. */
  readonly outer: number;
  /** The trade it asks a venue for. */
  readonly trade: TradeRequest | undefined;
  /** The tip it pays. */
  readonly tip: Tip | undefined;
}

/** The reason why a transaction reverted. */
export interface Failure {
  /** Index of the failed top-level instruction. */
  readonly outer: number;
  /** `Custom` when there is a code, else the name of a runtime error. */
  readonly kind: 'Custom' | 'ProgramFailedToComplete';
  readonly code: number | undefined;
  /** The program that gave up first. */
  readonly program: Address;
  /** That program and its callers up to the top level, in this order. */
  readonly callers: readonly Address[];
}

class ProgramFailure extends Error {
  readonly kind: Failure['kind'];
  readonly code: number | undefined;
  readonly program: Address;
  readonly callers: Address[] = [];
  constructor(program: Address, kind: Failure['kind'], code: number | undefined) {
    super(`${program} failed: ${kind} ${code ?? ''}`);
    this.program = program;
    this.kind = kind;
    this.code = code;
  }
}

/** Both token programs and the System program answer 1 when a balance does not suffice. */
const INSUFFICIENT_FUNDS_CODE = 1;

/** Programs that run inside the runtime write no "consumed" line. */
const BUILTIN_COMPUTE_UNITS = 150;

/** The run of one transaction: it calls programs, and records what a node would. */
export class Execution {
  readonly bank: Bank;
  /** Whole seconds, as programs read it from the clock account. */
  readonly unixTime: number;
  readonly record = new TransactionRecord();
  readonly calls: Call[] = [];
  readonly logs = new LogBook();
  readonly #isBuiltin: (program: Address) => boolean;
  readonly #stack: Address[] = [];
  #outer = 0;
  #unitsLeft: number;

  constructor(options: {
    readonly bank: Bank;
    readonly unixTime: number;
    readonly computeUnitLimit: number;
    readonly isBuiltin: (program: Address) => boolean;
  }) {
    this.bank = options.bank;
    this.unixTime = options.unixTime;
    this.#unitsLeft = options.computeUnitLimit;
    this.#isBuiltin = options.isBuiltin;
  }

  /** Pre-order index that the next call will get. */
  get nextIndex(): number {
    return this.calls.length;
  }

  /** The program whose instruction is running. */
  get program(): Address {
    return this.#stack[this.#stack.length - 1]!;
  }

  /** The program at the top of the call tree, when it is another one than the running program. */
  get router(): Address | undefined {
    const top = this.#stack[0];
    return top === this.program ? undefined : top;
  }

  /** Runs the top-level instructions in order until one fails. */
  run(instructions: readonly Instruction[]): Failure | undefined {
    for (let outer = 0; outer < instructions.length; outer++) {
      this.#outer = outer;
      try {
        this.invoke(instructions[outer]!);
      } catch (error) {
        if (error instanceof ProgramFailure) {
          const { callers, code, kind, program } = error;
          return { outer, kind, code, program, callers };
        }
        throw error;
      }
    }
    return undefined;
  }

  /** Calls a program; from inside a running instruction this is a cross-program call. Returns its pre-order index. */
  invoke(instruction: Instruction): number {
    const { program } = instruction;
    const depth = this.#stack.length + 1;
    const index = this.calls.length;
    const accounts = instruction.accounts.map((meta) => meta.address);
    const { data, tip, trade } = instruction;
    this.calls.push({ program, accounts, data, depth, outer: this.#outer, trade, tip });
    this.logs.add(`Program ${program} invoke [${depth}]`);
    this.#stack.push(program);
    const before = this.#unitsLeft;
    try {
      instruction.run?.(this);
    } catch (error) {
      this.#stack.pop();
      throw this.#failed(program, before, error);
    }
    this.#stack.pop();
    this.#finish(program, before, instruction.data.length);
    this.logs.add(`Program ${program} success`);
    return index;
  }

  log(text: string): void {
    this.logs.add(`Program log: ${text}`);
  }

  /** An event on the log, as Anchor's `emit!` writes it. */
  logData(bytes: Uint8Array): void {
    this.logs.add(`Program data: ${Buffer.from(bytes).toString('base64')}`);
  }

  returnData(bytes: Uint8Array): void {
    this.logs.add(`Program return: ${this.program} ${Buffer.from(bytes).toString('base64')}`);
  }

  /** Reverts the transaction with the running program's own code. */
  fail(code: number, name?: string): never {
    if (name !== undefined) {
      this.log(`AnchorError occurred. Error Code: ${name}. Error Number: ${code}. Error Message: ${name}.`);
    }
    throw new ProgramFailure(this.program, 'Custom', code);
  }

  /** Reverts the transaction as a program that panicked does. */
  abort(): never {
    throw new ProgramFailure(this.program, 'ProgramFailedToComplete', undefined);
  }

  #failed(program: Address, unitsBefore: number, error: unknown): ProgramFailure {
    const failure = error instanceof BankError ? new ProgramFailure(program, 'Custom', INSUFFICIENT_FUNDS_CODE) : error;
    if (!(failure instanceof ProgramFailure)) throw failure;
    failure.callers.push(program);
    this.#finish(program, unitsBefore, 0);
    const reason =
      failure.kind === 'Custom'
        ? `custom program error: 0x${(failure.code ?? 0).toString(16)}`
        : 'Program failed to complete';
    this.logs.add(`Program ${program} failed: ${reason}`);
    return failure;
  }

  /** Charges a plausible amount of compute: it grows with the data, and calls inside have charged theirs already. */
  #finish(program: Address, unitsBefore: number, dataLength: number): void {
    if (this.#isBuiltin(program)) {
      this.#unitsLeft -= BUILTIN_COMPUTE_UNITS;
      return;
    }
    const inside = unitsBefore - this.#unitsLeft;
    this.#unitsLeft = Math.max(0, this.#unitsLeft - 1_800 - 24 * dataLength - (inside >> 3));
    this.logs.add(`Program ${program} consumed ${unitsBefore - this.#unitsLeft} of ${unitsBefore} compute units`);
  }

  unitsConsumed(limit: number): number {
    return limit - this.#unitsLeft;
  }
}

/** One instruction: what goes on the wire, and what the simulated program does when it runs. */
export interface Instruction {
  readonly program: Address;
  readonly accounts: readonly AccountMeta[];
  readonly data: Uint8Array;
  /** The trade it asks a venue for. */
  readonly trade?: TradeRequest | undefined;
  /** The tip it pays. */
  readonly tip?: Tip | undefined;
  /** Left out where the program does nothing that anybody sees. */
  readonly run?: (execution: Execution) => void;
}
