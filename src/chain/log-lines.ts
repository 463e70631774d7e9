import type { LogLines } from './block.ts';

/** Log lines that are text already. Null and undefined stand for "not recorded". */
export class TextLogLines implements LogLines {
  readonly present: boolean;
  readonly length: number;
  private readonly lines: readonly string[];

  constructor(lines: readonly string[] | null | undefined) {
    this.present = lines !== null && lines !== undefined;
    this.lines = lines ?? [];
    this.length = this.lines.length;
  }

  at(index: number): string {
    return this.lines[index] ?? '';
  }
}
