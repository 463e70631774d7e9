import type { Instruction } from '../block.ts';
import { ByteInstruction, type CallPlace, CallStack, type InstructionParts } from '../call-tree.ts';
import { MalformedWire } from '../malformed-wire.ts';
import { type GeyserLayout, INNER_INSTRUCTIONS, INSTRUCTION } from './geyser-layout.ts';
import { BYTES, ProtobufCursor, tagOf, VARINT } from './protobuf-cursor.ts';

/** The calls recorded for one top-level instruction: the fields of an `InnerInstructions`. */
interface CallGroup {
  readonly outer: number;
  readonly from: number;
  readonly to: number;
}

const PROGRAM = tagOf(1, VARINT);
const ACCOUNTS = tagOf(2, BYTES);
const DATA = tagOf(3, BYTES);
const STACK_HEIGHT = tagOf(4, VARINT);

// Scratch of one instruction, filled anew for each.
const parts: InstructionParts = { programIndex: 0, accountsAt: 0, accountsLength: 0, dataAt: 0, dataLength: 0 };
const place: CallPlace = { index: 0, outer: 0, parent: -1, depth: 1 };

/** The call tree of a transaction in pre-order. Throws MalformedWire. */
export function readCalls(bytes: Uint8Array, layout: GeyserLayout): Instruction[] {
  const instructions: Instruction[] = [];
  const groups = readGroups(bytes, layout);
  const stack = new CallStack();
  const cursor = new ProtobufCursor(bytes, layout.instructionsFrom);
  const end = layout.instructionsTo;
  let nextGroup = 0;
  let outer = 0;
  while (cursor.at < end) {
    const tag = cursor.varint(end);
    if (tag !== INSTRUCTION) {
      cursor.skip(tag, end);
      continue;
    }
    readParts(cursor, cursor.delimited(end));
    place.index = instructions.length;
    place.outer = outer;
    place.parent = -1;
    place.depth = 1;
    stack.open(place.index);
    instructions.push(new ByteInstruction(bytes, place, parts));
    for (; nextGroup < groups.length && groups[nextGroup]!.outer === outer; nextGroup++) {
      readGroup(bytes, groups[nextGroup]!, stack, instructions);
    }
    outer++;
  }
  if (nextGroup < groups.length)
    throw new MalformedWire(`calls of instruction ${groups[nextGroup]!.outer} of ${outer}`);
  return instructions;
}

const GROUP_INDEX = tagOf(1, VARINT);
const GROUP_INSTRUCTION = tagOf(2, BYTES);

function readGroup(bytes: Uint8Array, group: CallGroup, stack: CallStack, instructions: Instruction[]): void {
  const cursor = new ProtobufCursor(bytes, group.from);
  while (cursor.at < group.to) {
    const tag = cursor.varint(group.to);
    if (tag !== GROUP_INSTRUCTION) {
      cursor.skip(tag, group.to);
      continue;
    }
    const stackHeight = readParts(cursor, cursor.delimited(group.to));
    place.index = instructions.length;
    place.outer = group.outer;
    place.depth = stack.enter(place.index, stackHeight);
    place.parent = stack.callerAt(place.depth);
    instructions.push(new ByteInstruction(bytes, place, parts));
  }
}

function readGroups(bytes: Uint8Array, layout: GeyserLayout): CallGroup[] {
  const groups: CallGroup[] = [];
  const cursor = new ProtobufCursor(bytes, layout.innerFrom);
  const end = layout.innerTo;
  let isSorted = true;
  while (cursor.at < end) {
    const tag = cursor.varint(end);
    if (tag !== INNER_INSTRUCTIONS) {
      cursor.skip(tag, end);
      continue;
    }
    const to = cursor.delimited(end);
    const from = cursor.at;
    const outer = readGroupIndex(cursor, to);
    if (groups.length > 0 && groups[groups.length - 1]!.outer > outer) isSorted = false;
    groups.push({ outer, from, to });
    cursor.at = to;
  }
  return isSorted ? groups : groups.sort((a, b) => a.outer - b.outer);
}

/** The index comes first as every encoder writes it, and 0 is not written at all. */
function readGroupIndex(cursor: ProtobufCursor, end: number): number {
  while (cursor.at < end) {
    const tag = cursor.varint(end);
    if (tag === GROUP_INDEX) return cursor.varint(end);
    if (tag === GROUP_INSTRUCTION) return 0;
    cursor.skip(tag, end);
  }
  return 0;
}

/** Reads one instruction, top level or not, into `parts` and returns its stack height, 0 when it has none. */
function readParts(cursor: ProtobufCursor, end: number): number {
  let stackHeight = 0;
  parts.programIndex = parts.accountsAt = parts.accountsLength = parts.dataAt = parts.dataLength = 0;
  while (cursor.at < end) {
    const tag = cursor.varint(end);
    if (tag === DATA) {
      const stop = cursor.delimited(end);
      parts.dataAt = cursor.at;
      parts.dataLength = stop - cursor.at;
      cursor.at = stop;
    } else if (tag === ACCOUNTS) {
      const stop = cursor.delimited(end);
      parts.accountsAt = cursor.at;
      parts.accountsLength = stop - cursor.at;
      cursor.at = stop;
    } else if (tag === PROGRAM) parts.programIndex = cursor.varint(end);
    else if (tag === STACK_HEIGHT) stackHeight = cursor.varint(end);
    else cursor.skip(tag, end);
  }
  return stackHeight;
}
