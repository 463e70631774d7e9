import type { Idl } from '@coral-xyz/anchor';
import type { FieldType, Layout } from '../../src/programs/layout.ts';
import { layoutFields } from '../../src/programs/layout.ts';
import { discriminatorBytes } from '../../src/programs/layout-writer.ts';

/**
 * Our layouts as an Anchor IDL, so that Anchor's own coder can judge the
 * readers. `count` keeps the first fields only, as an older IDL had them.
 */
export function anchorIdl(layouts: Readonly<Record<string, Layout>>, count = Number.POSITIVE_INFINITY): Idl {
  const names = Object.keys(layouts);
  const structs = new StructTypes();
  const types = names.map((name) => structs.define(name, layoutFields(layouts[name]!).slice(0, count)));
  return {
    address: '11111111111111111111111111111111',
    metadata: { name: 'layouts', version: '0.0.0', spec: '0.1.0' },
    instructions: [],
    events: names.map((name) => ({ name, discriminator: [...discriminatorBytes(layouts[name]!.discriminator)] })),
    types: [...types, ...structs.types],
  } as unknown as Idl;
}

/** The same for accounts. */
export function anchorAccountsIdl(layouts: Readonly<Record<string, Layout>>, count?: number): Idl {
  const { events, ...idl } = anchorIdl(layouts, count);
  return { ...idl, accounts: events ?? [] };
}

interface IdlStruct {
  readonly name: string;
  readonly type: { readonly kind: 'struct'; readonly fields: readonly { name: string; type: unknown }[] };
}

/** Nested structs need names in an IDL: they get numbers. */
class StructTypes {
  readonly types: IdlStruct[] = [];

  define(name: string, fields: readonly { name: string; type: FieldType }[]): IdlStruct {
    return {
      name,
      type: { kind: 'struct', fields: fields.map((field) => ({ name: field.name, type: this.idlType(field.type) })) },
    };
  }

  private idlType(type: FieldType): unknown {
    if (typeof type === 'string') return type === 'address' ? 'pubkey' : type;
    if ('vec' in type) return { vec: this.idlType(type.vec) };
    if ('option' in type) return { option: this.idlType(type.option) };
    if ('array' in type) return { array: [this.idlType(type.array), type.length] };
    const name = `struct${this.types.length}`;
    const slot = this.types.push({ name, type: { kind: 'struct', fields: [] } }) - 1;
    this.types[slot] = this.define(
      name,
      Object.entries(type.struct).map(([field, member]) => ({ name: field, type: member })),
    );
    return { defined: { name } };
  }
}

/** A value of Anchor's coder in the words of ours: PublicKey to text, BN to bigint. */
export function fromAnchor(value: unknown, type: FieldType): unknown {
  if (typeof type === 'string') {
    if (type === 'address') return (value as { toBase58(): string }).toBase58();
    if (type === 'bytes') return new Uint8Array(value as Uint8Array);
    return type === 'u64' || type === 'i64' || type === 'u128' || type === 'i128' ? BigInt(String(value)) : value;
  }
  if ('option' in type) return value === null ? null : fromAnchor(value, type.option);
  if ('vec' in type) return (value as unknown[]).map((element) => fromAnchor(element, type.vec));
  if ('array' in type) return (value as unknown[]).map((element) => fromAnchor(element, type.array));
  const members = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(type.struct).map(([name, member]) => [name, fromAnchor(members[name], member)]),
  );
}
