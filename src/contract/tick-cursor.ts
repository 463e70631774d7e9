/**
 * The opaque, exclusive cursor of tick pages (`older`, `newer`): a position in
 * base 36, behind a version so that a later format can tell itself apart.
 * Positions are global, so a cursor stays valid whatever the quote.
 */
export interface TickCursor {
  readonly slot: number;
  readonly blockIndex: number;
  readonly ixIndex: number;
}

const CURSOR = /^p1-([0-9a-z]{1,10})-([0-9a-z]{1,5})-([0-9a-z]{1,5})$/;

export function encodeTickCursor({ slot, blockIndex, ixIndex }: TickCursor): string {
  return `p1-${slot.toString(36)}-${blockIndex.toString(36)}-${ixIndex.toString(36)}`;
}

/** Undefined when the text is no tick cursor. */
export function decodeTickCursor(text: string): TickCursor | undefined {
  const match = CURSOR.exec(text);
  if (match === null) return undefined;
  return {
    slot: Number.parseInt(match[1] ?? '', 36),
    blockIndex: Number.parseInt(match[2] ?? '', 36),
    ixIndex: Number.parseInt(match[3] ?? '', 36),
  };
}
