import type { Address } from '../chain/address.ts';
import type { Layout } from './layout.ts';

/**
 * An instruction's arguments and the names of its accounts in order, separated
 * by single spaces. Accounts at the end may be missing from old or short calls.
 */
export interface InstructionLayout extends Layout {
  readonly accounts: string;
  /** An older order of the accounts, told by the account that used to be at `index`. */
  readonly earlier?: { readonly index: number; readonly address: Address; readonly accounts: string };
  /** Names of the accounts behind the fixed ones: the list that has as many names as there are accounts. */
  readonly remaining?: readonly string[];
}

export interface InstructionTable {
  readonly [name: string]: InstructionLayout;
}

type Words<S extends string> = S extends `${infer First} ${infer Rest}`
  ? First | Words<Rest>
  : S extends ''
    ? never
    : S;

type RemainingOf<I> = I extends { readonly remaining: readonly (infer R extends string)[] } ? Words<R> : never;

/** Union of the account names of an instruction. */
export type AccountNameOf<I> = I extends { readonly accounts: infer A extends string }
  ? Words<A> | RemainingOf<I>
  : never;
