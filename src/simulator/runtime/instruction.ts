import type { Address } from '../../chain/address.ts';

/** An account as an instruction asks for it. */
export interface AccountMeta {
  readonly address: Address;
  readonly signer: boolean;
  readonly writable: boolean;
}

export const read = (address: Address): AccountMeta => ({ address, signer: false, writable: false });
export const write = (address: Address): AccountMeta => ({ address, signer: false, writable: true });
export const signRead = (address: Address): AccountMeta => ({ address, signer: true, writable: false });
export const signWrite = (address: Address): AccountMeta => ({ address, signer: true, writable: true });
