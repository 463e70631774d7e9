import type { Instruction } from './block.ts';

/**
 * Places calls in the tree from their stack heights. The chain lists the calls
 * of a top-level instruction flat, in execution order; the caller of one is the
 * nearest earlier call that stands one lower.
 */
export class CallStack {
  /** Index of the latest instruction at each depth; depth 1 is the top level. What lies deeper than `depth` is stale. */
  private readonly latest: number[] = [-1, -1];
  private depth = 1;

  /** A top-level instruction begins. */
  open(index: number): void {
    this.latest[1] = index;
    this.depth = 1;
  }

  /**
   * A call at `stackHeight` begins; returns its depth. Data from before heights
   * were recorded has 0 here: its calls all count as called by the top-level
   * instruction. A height that skips a level is taken as one level deeper.
   */
  enter(index: number, stackHeight: number): number {
    this.depth = stackHeight < 2 ? 2 : Math.min(stackHeight, this.depth + 1);
    this.latest[this.depth] = index;
    return this.depth;
  }

  /** Index of the caller of what runs at `depth`. */
  callerAt(depth: number): number {
    return this.latest[depth - 1]!;
  }
}

/** An instruction whose accounts and data are views of the bytes it came in. */
export class ByteInstruction implements Instruction {
  readonly index: number;
  readonly outer: number;
  readonly parent: number;
  readonly depth: number;
  readonly programIndex: number;
  private readonly bytes: Uint8Array;
  private readonly accountsAt: number;
  private readonly accountsLength: number;
  private readonly dataAt: number;
  private readonly dataLength: number;
  private accountsView: Uint8Array | undefined = undefined;
  private dataView: Uint8Array | undefined = undefined;

  constructor(bytes: Uint8Array, place: CallPlace, parts: InstructionParts) {
    this.index = place.index;
    this.outer = place.outer;
    this.parent = place.parent;
    this.depth = place.depth;
    this.programIndex = parts.programIndex;
    this.bytes = bytes;
    this.accountsAt = parts.accountsAt;
    this.accountsLength = parts.accountsLength;
    this.dataAt = parts.dataAt;
    this.dataLength = parts.dataLength;
  }

  get accounts(): Uint8Array {
    this.accountsView ??= viewOf(this.bytes, this.accountsAt, this.accountsLength);
    return this.accountsView;
  }

  get tag(): number {
    return this.dataLength === 0 ? -1 : this.bytes[this.dataAt]!;
  }

  get data(): Uint8Array {
    this.dataView ??= viewOf(this.bytes, this.dataAt, this.dataLength);
    return this.dataView;
  }
}

/** Place of an instruction in the call tree. Filled anew for each one. */
export interface CallPlace {
  index: number;
  outer: number;
  parent: number;
  depth: number;
}

/** Places of an instruction's parts in its bytes. Filled anew for each one. */
export interface InstructionParts {
  programIndex: number;
  accountsAt: number;
  accountsLength: number;
  dataAt: number;
  dataLength: number;
}

/** Faster than `subarray`, which asks for the species first. */
export function viewOf(bytes: Uint8Array, offset: number, length: number): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset + offset, length);
}
