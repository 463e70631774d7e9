import type { Address } from '../../chain/address.ts';
import type { Tip, TradeRequest } from '../truth.ts';
import type { Execution } from './execution.ts';

/** An account as an instruction asks for it. */
export interface AccountMeta {
  readonly address: Address;
  readonly signer: boolean;
  readonly writable: boolean;
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

export const read = (address: Address): AccountMeta => ({ address, signer: false, writable: false });
export const write = (address: Address): AccountMeta => ({ address, signer: false, writable: true });
export const signRead = (address: Address): AccountMeta => ({ address, signer: true, writable: false });
export const signWrite = (address: Address): AccountMeta => ({ address, signer: true, writable: true });
