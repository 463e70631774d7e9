/**
 * The opaque cursor of transfer pages: the place of the page's last row, of
 * which everything before it follows, and the time from which on the next page
 * looks back. Rows of a wallet share a position now and then, so that theirs
 * names the mint too; a cursor of one list is none of the other.
 */
export interface TransferCursor {
  readonly slot: number;
  readonly blockIndex: number;
  readonly ixIndex: number;
  /** Unix seconds. */
  readonly from: number;
}

export interface WalletTransferCursor extends TransferCursor {
  /** '' lies before every mint. */
  readonly mint: string;
}

/** Largest numbers that a place in the store can have. */
const MAX_U32 = 2 ** 32 - 1;
const MAX_U16 = 2 ** 16 - 1;
const PLACE = '([0-9a-z]{1,7})-([0-9a-z]{1,7})-([0-9a-z]{1,4})-([0-9a-z]{1,7})';
const OF_MINT = new RegExp(`^x1-${PLACE}$`);
const OF_WALLET = new RegExp(`^y1-${PLACE}-([1-9A-HJ-NP-Za-km-z]{32,44})?$`);

/** Behind everything there is: a page before it is the newest one. */
export const NEWEST_PLACE = { slot: MAX_U32, blockIndex: MAX_U32, ixIndex: MAX_U16 } as const;

export function encodeTransferCursor(cursor: TransferCursor): string {
  return `x1-${placeText(cursor)}`;
}

export function encodeWalletTransferCursor(cursor: WalletTransferCursor): string {
  return `y1-${placeText(cursor)}-${cursor.mint}`;
}

/** Undefined when the text is no cursor of a mint's transfers. */
export function decodeTransferCursor(text: string): TransferCursor | undefined {
  return readPlace(OF_MINT.exec(text));
}

/** Undefined when the text is no cursor of a wallet's transfers. */
export function decodeWalletTransferCursor(text: string): WalletTransferCursor | undefined {
  const match = OF_WALLET.exec(text);
  const place = readPlace(match);
  return place === undefined ? undefined : { ...place, mint: match?.[5] ?? '' };
}

function placeText({ slot, blockIndex, ixIndex, from }: TransferCursor): string {
  return [slot, blockIndex, ixIndex, from].map((number) => number.toString(36)).join('-');
}

function readPlace(match: RegExpExecArray | null): TransferCursor | undefined {
  if (match === null) return undefined;
  const [slot = 0, blockIndex = 0, ixIndex = 0, from = 0] = match.slice(1, 5).map((text) => Number.parseInt(text, 36));
  if (Math.max(slot, blockIndex, from) > MAX_U32 || ixIndex > MAX_U16) return undefined;
  return { slot, blockIndex, ixIndex, from };
}
