/**
 * The keyset cursor of the token list: the place of the page's last token in
 * the list's order. `newest` goes by the position of the creation, `last_trade`
 * by that of the newest swap, both descending, then by mint: tokens whose
 * creation was never seen share position 0, and partial input may share others.
 */
export interface TokenCursor {
  readonly sort: 'newest' | 'last_trade';
  readonly slot: number;
  readonly blockIndex: number;
  readonly ixIndex: number;
  readonly mint: string;
}

const CURSOR = /^([nt])1-([0-9a-z]{1,10})-([0-9a-z]{1,5})-([0-9a-z]{1,5})-([1-9A-HJ-NP-Za-km-z]{32,44})$/;

export function encodeTokenCursor({ sort, slot, blockIndex, ixIndex, mint }: TokenCursor): string {
  const order = sort === 'newest' ? 'n' : 't';
  return `${order}1-${slot.toString(36)}-${blockIndex.toString(36)}-${ixIndex.toString(36)}-${mint}`;
}

/** Undefined when the text is no token cursor. The caller checks that `sort` is the one asked for. */
export function decodeTokenCursor(text: string): TokenCursor | undefined {
  const match = CURSOR.exec(text);
  if (match === null) return undefined;
  return {
    sort: match[1] === 'n' ? 'newest' : 'last_trade',
    slot: Number.parseInt(match[2] ?? '', 36),
    blockIndex: Number.parseInt(match[3] ?? '', 36),
    ixIndex: Number.parseInt(match[4] ?? '', 36),
    mint: match[5] ?? '',
  };
}
