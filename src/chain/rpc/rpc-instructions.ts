import type { Address } from '../address.ts';
import type { AccountKeys, Instruction } from '../block.ts';
import type { CallPlace } from '../call-tree.ts';
import { decodeBase58 } from '../keys/base58.ts';
import { MalformedWire } from '../malformed-wire.ts';
import { rebuildInstruction } from './parsed-instruction.ts';
import {
  asList,
  asObject,
  type CompiledInstructionJson,
  type InstructionJson,
  type ParsedInstructionJson,
} from './rpc-shapes.ts';

/** An instruction of JSON, in whichever of its two forms. Throws MalformedWire. */
export function readInstructionJson(json: unknown, place: CallPlace, keys: AccountKeys): Instruction {
  const instruction = asObject<InstructionJson>(json, 'an instruction');
  return 'programId' in instruction
    ? new ParsedInstruction(instruction, place, keys)
    : new CompiledInstruction(instruction, place);
}

/** Data is decoded on first use: base58 is the slowest part of reading JSON. */
class CompiledInstruction implements Instruction {
  readonly index: number;
  readonly outer: number;
  readonly parent: number;
  readonly depth: number;
  readonly programIndex: number;
  readonly accounts: readonly number[];
  private readonly encoded: string | ArrayLike<number>;
  private decoded: Uint8Array | undefined = undefined;

  constructor(json: CompiledInstructionJson, place: CallPlace) {
    if (typeof json.programIdIndex !== 'number' || !Array.isArray(json.accounts))
      throw new MalformedWire('an instruction');
    this.index = place.index;
    this.outer = place.outer;
    this.parent = place.parent;
    this.depth = place.depth;
    this.programIndex = json.programIdIndex;
    this.accounts = json.accounts;
    this.encoded = json.data;
  }

  get tag(): number {
    return this.data[0] ?? -1;
  }

  get data(): Uint8Array {
    this.decoded ??= dataBytes(this.encoded);
    return this.decoded;
  }
}

/** Names its program and accounts by address, and may have been parsed by the node. */
class ParsedInstruction implements Instruction {
  readonly index: number;
  readonly outer: number;
  readonly parent: number;
  readonly depth: number;
  readonly programIndex: number;
  private readonly json: ParsedInstructionJson;
  private readonly keys: AccountKeys;
  private resolved: { readonly accounts: readonly number[]; readonly data: Uint8Array } | undefined = undefined;

  constructor(json: ParsedInstructionJson, place: CallPlace, keys: AccountKeys) {
    this.index = place.index;
    this.outer = place.outer;
    this.parent = place.parent;
    this.depth = place.depth;
    this.programIndex = indexIn(keys, json.programId);
    this.json = json;
    this.keys = keys;
  }

  get accounts(): readonly number[] {
    return this.#resolve().accounts;
  }

  get tag(): number {
    return this.data[0] ?? -1;
  }

  get data(): Uint8Array {
    return this.#resolve().data;
  }

  #resolve(): { readonly accounts: readonly number[]; readonly data: Uint8Array } {
    this.resolved ??= this.#read();
    return this.resolved;
  }

  #read(): { readonly accounts: readonly number[]; readonly data: Uint8Array } {
    const { json, keys } = this;
    if (json.parsed !== undefined) {
      const rebuilt = rebuildInstruction(json.programId, json.parsed);
      return { accounts: rebuilt.accounts.map((address) => indexIn(keys, address)), data: rebuilt.data };
    }
    const accounts = asList(json.accounts, 'accounts').map((address) => indexIn(keys, address as string));
    return { accounts, data: dataBytes(json.data ?? '') };
  }
}

function indexIn(keys: AccountKeys, address: string): number {
  const index = keys.indexOf(address as Address);
  if (index === -1) throw new MalformedWire(`${address} is not among the account keys`);
  return index;
}

function dataBytes(encoded: string | ArrayLike<number>): Uint8Array {
  if (typeof encoded === 'string') return decodeBase58(encoded);
  if (!Array.isArray(encoded) && !(encoded instanceof Uint8Array)) throw new MalformedWire('instruction data');
  return Uint8Array.from(encoded);
}
