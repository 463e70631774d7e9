/** Bytes or JSON that are not what the wire promises. Thrown by readers, and by lazy fields on first use. */
export class MalformedWire extends Error {
  override readonly name = 'MalformedWire';
}
