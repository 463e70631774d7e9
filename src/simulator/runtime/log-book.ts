/** Nodes stop recording a transaction's log past this many bytes. */
const MAX_LOG_BYTES = 10_000;

/** Log lines of one transaction, cut where a node would cut them. */
export class LogBook {
  readonly lines: string[] = [];
  #bytes = 0;
  #truncated = false;

  add(line: string): void {
    if (this.#truncated) return;
    if (this.#bytes + line.length > MAX_LOG_BYTES) {
      this.#truncated = true;
      this.lines.push('Log truncated');
      return;
    }
    this.#bytes += line.length;
    this.lines.push(line);
  }
}
