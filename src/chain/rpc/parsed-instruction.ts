import type { Address } from '../address.ts';
import { addressBytes } from '../keys/address-table.ts';
import { MalformedWire } from '../malformed-wire.ts';
import {
  ATA_PROGRAM,
  MEMO_PROGRAM,
  MEMO_V1_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../well-known.ts';
import { ATA_LAYOUTS, type Field, type ParsedLayout, SYSTEM_LAYOUTS, TOKEN_LAYOUTS } from './parsed-layouts.ts';
import { asObject, asU64 } from './rpc-shapes.ts';

/** An instruction as it was before a node parsed it. */
export interface RebuiltInstruction {
  readonly accounts: readonly string[];
  readonly data: Uint8Array;
}

type Info = Readonly<Record<string, unknown>>;

const UNKNOWN_NUMBER = 255;
const NOT_REBUILT: RebuiltInstruction = { accounts: [], data: new Uint8Array(0) };

const LAYOUTS: Readonly<Record<string, Readonly<Record<string, ParsedLayout>>>> = {
  [SYSTEM_PROGRAM]: SYSTEM_LAYOUTS,
  [TOKEN_PROGRAM]: TOKEN_LAYOUTS,
  [TOKEN_2022_PROGRAM]: TOKEN_LAYOUTS,
  [ATA_PROGRAM]: ATA_LAYOUTS,
};

/**
 * Turns the `parsed` part of a jsonParsed instruction back into accounts and
 * data, so that a transfer reads the same in every encoding. Instructions that
 * no reader of ours asks for (stake, loaders, token extensions) stay without
 * accounts and data. Throws MalformedWire when fields are missing.
 */
export function rebuildInstruction(program: string, parsed: unknown): RebuiltInstruction {
  if (program === MEMO_PROGRAM || program === MEMO_V1_PROGRAM) {
    return { accounts: [], data: new TextEncoder().encode(typeof parsed === 'string' ? parsed : '') };
  }
  const layouts = LAYOUTS[program];
  if (layouts === undefined) return NOT_REBUILT;
  const { type, info } = asObject<{ type?: unknown; info?: unknown }>(parsed, 'a parsed instruction');
  if (typeof type !== 'string' || !Object.hasOwn(layouts, type)) return NOT_REBUILT;
  return rebuild(layouts[type]!, asObject<Info>(info, `info of ${type}`));
}

function rebuild(layout: ParsedLayout, info: Info): RebuiltInstruction {
  const accounts = layout.accounts.flatMap((name) => accountsNamed(info, name));
  const bytes = [...layout.tag];
  for (const field of layout.fields) writeField(bytes, field, info);
  return { accounts, data: Uint8Array.from(bytes) };
}

/** `a|b` is whichever there is. A multisig stands for the authority it replaces, followed by its signers. */
function accountsNamed(info: Info, names: string): readonly string[] {
  for (const name of names.split('|')) {
    const account = info[name];
    if (typeof account === 'string') return [account];
    const multisig = info[`multisig${name[0]!.toUpperCase()}${name.slice(1)}`];
    if (typeof multisig === 'string' && Array.isArray(info.signers)) return [multisig, ...(info.signers as string[])];
  }
  throw new MalformedWire(`a parsed instruction without ${names}`);
}

function writeField(bytes: number[], field: Field, info: Info): void {
  const value = valueAt(info, field.name);
  switch (field.type) {
    case 'u8':
      bytes.push(Number(asU64(value, field.name)) & 255);
      break;
    case 'u64':
      writeInteger(bytes, asU64(value, field.name), 8);
      break;
    case 'key':
      bytes.push(...keyBytes(value, field.name));
      break;
    case 'optional key':
      if (value === null || value === undefined) bytes.push(0);
      else bytes.push(1, ...keyBytes(value, field.name));
      break;
    case 'text': {
      const text = new TextEncoder().encode(String(value));
      writeInteger(bytes, BigInt(text.length), 8);
      bytes.push(...text);
      break;
    }
    case 'name':
      writeInteger(bytes, BigInt(numberOf(field, value)), field.width);
      break;
    case 'names':
      for (const name of Array.isArray(value) ? value : [])
        writeInteger(bytes, BigInt(numberOf(field, name)), field.width);
  }
}

/** `tokenAmount.amount` looks into the object. */
function valueAt(info: Info, path: string): unknown {
  let value: unknown = info;
  for (const name of path.split('.')) value = asObject<Info>(value, path)[name];
  return value;
}

/** A name newer than our list becomes a number that stands for nothing: it must not cost the transaction. */
function numberOf(field: Extract<Field, { names: readonly string[] }>, name: unknown): number {
  const number = field.names.indexOf(name as string);
  return number === -1 ? UNKNOWN_NUMBER : number;
}

function keyBytes(value: unknown, name: string): Uint8Array {
  if (typeof value !== 'string') throw new MalformedWire(`a parsed instruction without ${name}`);
  return addressBytes(value as Address);
}

function writeInteger(bytes: number[], value: bigint, width: number): void {
  for (let i = 0; i < width; i++) bytes.push(Number((value >> BigInt(8 * i)) & 255n));
}
