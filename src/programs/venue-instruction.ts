import type { Address } from '../chain/address.ts';
import type { Instruction, Transaction } from '../chain/block.ts';
import { DISCRIMINATOR_BYTES, DiscriminatorMap } from './discriminator.ts';
import type { AccountNameOf, InstructionLayout } from './instruction-table.ts';
import type { DataOf, Layout } from './layout.ts';
import { LayoutCursor } from './layout-cursor.ts';
import type { LayoutReader } from './layout-reader.ts';
import { compileReader } from './layout-reader.ts';
import { encodeLayout } from './layout-writer.ts';
import type { VenueName } from './venues.ts';
import { VENUE_NAMES, VENUES, venueOf } from './venues.ts';

export type InstructionName<V extends VenueName> = keyof (typeof VENUES)[V]['instructions'] & string;

export type InstructionArgs<V extends VenueName, N extends InstructionName<V>> = DataOf<
  (typeof VENUES)[V]['instructions'][N]
>;

type InstructionsOf<V extends VenueName> = {
  readonly [N in InstructionName<V>]: {
    readonly program: V;
    readonly name: N;
    /** Decoded on first use; undefined when the data ends before the required ones do. */
    readonly args: InstructionArgs<V, N> | undefined;
    /** The account with this name; undefined when the call has none. */
    account(name: VenueAccountName): Address | undefined;
  };
}[InstructionName<V>];

/** An instruction of one of the three programs, told apart by `program` and `name`. */
export type VenueInstruction = InstructionsOf<'pump'> | InstructionsOf<'pump_amm'> | InstructionsOf<'pump_fees'>;

type TableAccountNames<T> = { [N in keyof T]: AccountNameOf<T[N]> }[keyof T];

/** Every name that some account of some instruction has. */
export type VenueAccountName = { [V in VenueName]: TableAccountNames<(typeof VENUES)[V]['instructions']> }[VenueName];

/** One step of a multi-hop swap: a pool or a bonding curve. */
export interface SwapHop {
  readonly baseMint: Address;
  readonly quoteMint: Address;
  readonly market: Address;
  readonly baseVault: Address;
  readonly quoteVault: Address;
}

interface InstructionReader {
  readonly name: string;
  readonly read: LayoutReader<unknown>;
  readonly accounts: readonly string[];
  readonly earlier: { index: number; address: Address; accounts: readonly string[] } | undefined;
  readonly remaining: readonly (readonly string[])[];
}

const READERS: ReadonlyMap<VenueName, DiscriminatorMap<InstructionReader>> = new Map(
  VENUE_NAMES.map((venue) => {
    const layouts: Readonly<Record<string, InstructionLayout>> = VENUES[venue].instructions;
    return [venue, DiscriminatorMap.of(layouts, (name) => instructionReader(name, layouts[name]!))];
  }),
);

const cursor = new LayoutCursor();

/** The venue instruction that `instruction` is; undefined for other programs, events and unknown discriminators. */
export function readVenueInstruction(tx: Transaction, instruction: Instruction): VenueInstruction | undefined {
  const venue = venueOf(tx.keys.at(instruction.programIndex));
  if (venue === undefined) return undefined;
  const reader = READERS.get(venue)!.find(instruction.data, 0);
  if (reader === undefined) return undefined;
  return new VenueCall(tx, instruction, venue, reader) as VenueInstruction;
}

/** The hops of PumpSwap's `multi_hop_swap`, in order: five accounts each, behind the fixed ones. */
export function readSwapHops(tx: Transaction, instruction: Instruction): SwapHop[] {
  const fixed = accountNames(VENUES.pump_amm.instructions.multi_hop_swap.accounts).length;
  const hops: SwapHop[] = [];
  for (let at = fixed; at + HOP_ACCOUNTS <= instruction.accounts.length; at += HOP_ACCOUNTS) {
    const key = (offset: number): Address => tx.keys.at(instruction.accounts[at + offset]!);
    hops.push({ baseMint: key(0), quoteMint: key(1), market: key(2), baseVault: key(3), quoteVault: key(4) });
  }
  return hops;
}

const HOP_ACCOUNTS = 5;

/** Instruction data: discriminator and arguments. Later arguments may be left out, as older clients do. */
export function encodeInstruction<V extends VenueName, N extends InstructionName<V>>(
  venue: V,
  name: N,
  args: InstructionArgs<V, N>,
): Uint8Array {
  const layout: Layout = (VENUES[venue].instructions as Readonly<Record<string, Layout>>)[name]!;
  return encodeLayout(layout, args as DataOf<Layout>);
}

/** Names of the fixed accounts of an instruction, in order. */
export function instructionAccounts<V extends VenueName>(venue: V, name: InstructionName<V>): readonly string[] {
  return accountNames((VENUES[venue].instructions as Readonly<Record<string, InstructionLayout>>)[name]!.accounts);
}

class VenueCall {
  readonly program: VenueName;
  readonly name: string;
  readonly #tx: Transaction;
  readonly #instruction: Instruction;
  readonly #reader: InstructionReader;

  constructor(tx: Transaction, instruction: Instruction, program: VenueName, reader: InstructionReader) {
    this.program = program;
    this.name = reader.name;
    this.#tx = tx;
    this.#instruction = instruction;
    this.#reader = reader;
  }

  get args(): unknown {
    return this.#reader.read(cursor.open(this.#instruction.data, DISCRIMINATOR_BYTES));
  }

  account(name: string): Address | undefined {
    const index = this.#accountIndex(name);
    return index < 0 ? undefined : this.#key(index);
  }

  #accountIndex(name: string): number {
    const { accounts, earlier, remaining } = this.#reader;
    const given = this.#instruction.accounts.length;
    const names = earlier !== undefined && this.#key(earlier.index) === earlier.address ? earlier.accounts : accounts;
    const fixed = names.indexOf(name);
    if (fixed >= 0) return fixed;
    const extra = remaining.find((list) => list.length === given - names.length)?.indexOf(name) ?? -1;
    return extra < 0 ? -1 : names.length + extra;
  }

  #key(index: number): Address | undefined {
    const key = this.#instruction.accounts[index];
    return key === undefined || key >= this.#tx.keys.length ? undefined : this.#tx.keys.at(key);
  }
}

function instructionReader(name: string, layout: InstructionLayout): InstructionReader {
  const { earlier } = layout;
  return {
    name,
    read: compileReader(layout),
    accounts: accountNames(layout.accounts),
    earlier: earlier && { ...earlier, accounts: accountNames(earlier.accounts) },
    remaining: (layout.remaining ?? []).map(accountNames),
  };
}

function accountNames(text: string): readonly string[] {
  return text === '' ? [] : text.split(' ');
}
