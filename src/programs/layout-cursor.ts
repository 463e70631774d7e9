/**
 * A place in a byte string that readers move forward. One cursor is opened over
 * many byte strings in turn, so that reading allocates nothing but the result.
 */
export class LayoutCursor {
  bytes: Uint8Array = new Uint8Array(0);
  /** Over the whole buffer that `bytes` is a part of; `base` is where they start in it. */
  view: DataView = new DataView(this.bytes.buffer);
  base = 0;
  /** Both count from the start of `bytes`. */
  offset = 0;
  end = 0;

  open(bytes: Uint8Array, offset = 0, end = bytes.length): this {
    if (bytes.buffer !== this.view.buffer) this.view = new DataView(bytes.buffer);
    this.bytes = bytes;
    this.base = bytes.byteOffset;
    this.offset = offset;
    this.end = end;
    return this;
  }

  /** Bytes that no field has explained yet. */
  get remaining(): number {
    return this.end - this.offset;
  }
}
