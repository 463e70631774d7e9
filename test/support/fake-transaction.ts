import type { Address } from '../../src/chain/address.ts';
import type { AccountKeys, Instruction, Transaction } from '../../src/chain/block.ts';
import type { SoughtKey } from '../../src/chain/keys/sought-keys.ts';
import { TextLogLines } from '../../src/chain/log-lines.ts';

export interface FakeCall {
  readonly program: Address;
  readonly accounts?: readonly Address[];
  readonly data: Uint8Array;
  /** 1 at top level; calls stand in pre-order. */
  readonly depth: number;
}

export interface FakeTransaction {
  readonly calls: readonly FakeCall[];
  readonly logs?: readonly string[];
  readonly error?: Transaction['error'];
  readonly dataEncoding?: 'base58';
  /** As blocks without stack heights are read: every inner call hangs under its top-level one. */
  readonly flat?: boolean;
}

/** A transaction that consists of the given calls, without balances. */
export function fakeTransaction(fake: FakeTransaction): Transaction {
  const keys = [...new Set(fake.calls.flatMap((call) => [call.program, ...(call.accounts ?? [])]))];
  const path: number[] = [];
  let outer = -1;
  const instructions = fake.calls.map((call, index): Instruction => {
    if (call.depth === 1) outer++;
    path.length = call.depth - 1;
    const parent = (fake.flat === true ? path[0] : path.at(-1)) ?? -1;
    path.push(index);
    return {
      index,
      parent,
      depth: call.depth,
      outer,
      programIndex: keys.indexOf(call.program),
      accounts: (call.accounts ?? []).map((account) => keys.indexOf(account)),
      data: call.data,
      tag: call.data[0] ?? -1,
    };
  });
  return {
    index: 0,
    signature: new Uint8Array(64),
    signatureCount: 1,
    version: 0,
    config: undefined,
    error: fake.error ?? null,
    fee: 5_000n,
    keys: new FakeKeys(keys),
    signerCount: 1,
    instructions,
    preBalances: [],
    postBalances: [],
    tokenBalances: [],
    logs: new TextLogLines(fake.logs ?? null),
    hasInnerInstructions: true,
    ...(fake.dataEncoding === undefined ? {} : { dataEncoding: fake.dataEncoding }),
  };
}

class FakeKeys implements AccountKeys {
  readonly #keys: readonly Address[];

  constructor(keys: readonly Address[]) {
    this.#keys = keys;
  }

  get length(): number {
    return this.#keys.length;
  }

  at(index: number): Address {
    const key = this.#keys[index];
    if (key === undefined) throw new RangeError(`no key ${index}`);
    return key;
  }

  indexOf(address: Address): number {
    return this.#keys.indexOf(address);
  }

  find({ address }: SoughtKey): number {
    return this.#keys.indexOf(address);
  }
}
