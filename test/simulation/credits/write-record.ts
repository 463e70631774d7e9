import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { systemClock } from '../../../src/kernel/clock.ts';

/**
 * A process's own record of its writes of credits, up to the instant of its death. Milliseconds; moments are of {@link
 * machineMs}.
 */
export interface WriteRecord {
  /** Time of the last record. */
  readonly at: number;
  /** Beginning of the last full write that was done: everything that was settled before is in the database. */
  readonly writtenTo: number;
  /** Time since then in which no write was under way; of a time in which the process did not look it counts {@link MAX_LOOK_MS} at most. */
  readonly idleMs: number;
}

/** Milliseconds between two looks of a process. */
export const TICK_MS = 5;
/** A process without the processor is not idle. */
export const MAX_LOOK_MS = 50;
const FIELDS = 3;

/** Monotonic milliseconds that mean the same in every process of the machine. */
export function machineMs(): number {
  return Number(process.hrtime.bigint() / 1_000n) / 1_000;
}

export interface WriteFigures {
  readonly writeAgeMs: number;
  readonly writingMs: number | undefined;
}

/** Keeps the record in a file, which is there when the process is killed: what was written to a file is the system's. Ends with the process. */
export function keepWriteRecord(file: string, read: () => WriteFigures): void {
  const handle = openSync(file, 'w');
  const fields = new Float64Array(FIELDS);
  let writtenTo = 0;
  let idleMs = 0;
  let lookedAt = machineMs();
  const look = () => {
    const at = machineMs();
    const { writeAgeMs, writingMs } = read();
    const isLater = at - writeAgeMs > writtenTo + 1;
    if (isLater) {
      // With a write that took some time idle time began behind it.
      writtenTo = at - writeAgeMs;
      idleMs = 0;
    } else if (writingMs === undefined) idleMs += Math.min(at - lookedAt, MAX_LOOK_MS);
    lookedAt = at;
    fields.set([at, writtenTo, idleMs]);
    writeSync(handle, fields, 0, fields.byteLength, 0);
  };
  look();
  const timer = setInterval(look, TICK_MS);
  timer.unref();
  process.once('exit', () => closeSync(handle));
}

/** Undefined when the process had not begun to keep one. */
export function readWriteRecord(file: string): WriteRecord | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch {
    return undefined;
  }
  if (bytes.length < FIELDS * 8) return undefined;
  const [at = 0, writtenTo = 0, idleMs = 0] = [0, 8, 16].map((offset) => bytes.readDoubleLE(offset));
  return { at, writtenTo, idleMs };
}

/** A moment of {@link machineMs}, by the clock of this process. */
export function byOurClock(moment: number): number {
  return moment - machineMs() + systemClock.elapsed();
}
