import type { Body } from '../../books/body-cache.ts';
import type { BookShelf } from '../../books/book-shelf.ts';
import { listBody } from '../../books/json-text.ts';
import { createRefreshed, type RefreshedValues } from '../../books/refreshed.ts';
import type { Address } from '../../chain/address.ts';
import { Absence, stampBody } from '../../contract/stamp.ts';
import {
  encodeTransferCursor,
  encodeWalletTransferCursor,
  NEWEST_PLACE,
  type TransferCursor,
  type WalletTransferCursor,
} from '../../contract/transfer-cursor.ts';
import type { Feed } from '../../feed/feed.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import type { TransferRow } from '../../store/clickhouse/schema/tables.ts';
import { coversUpTo, createCoverageReader, createWholeSince } from '../../token/history.ts';
import { openStoredToken } from '../../token/known-token.ts';
import { tokenSection } from '../../token/section.ts';
import { absenceAt, bornBy, tokenAsOf } from '../../token/settled.ts';
import { creatorOf } from '../../token/state.ts';
import { createTokenReads } from '../../token/token-reads.ts';
import { type SendWindow, TRANSFER_WINDOWS, type TransferWindow } from './contract.ts';
import { EARLY_BUYERS } from './contract-limits.ts';
import { readEarlyBuyers } from './early-buyer-reads.ts';
import { readFundedBuyers } from './funded-buyer-reads.ts';
import { clusterByFunder } from './funding-rules.ts';
import { fundingClustersBody, transferRowJson } from './movement-body.ts';
import { createSendsReader } from './sends-window.ts';
import { cutTransfers, type TransferCut } from './transfer-cut.ts';
import {
  isKnownWallet,
  readMintTransfers,
  readTransfersAt,
  readWalletTransferPlaces,
  wasEverSent,
} from './transfer-reads.ts';

export interface TransferPage<C> {
  /** Undefined looks as far back as a page may. */
  readonly window: TransferWindow | undefined;
  readonly limit: number;
  readonly cursor: C | undefined;
}

export interface WalletTransferPage extends TransferPage<WalletTransferCursor> {
  readonly direction: 'in' | 'out' | 'all';
}

/** Answers about moves outside trades, and the wallets behind them: read from the store, as far as it answers for. */
export interface MovementAnswers {
  fundingClusters(mint: Address): Body;
  transfers(mint: Address, page: TransferPage<TransferCursor>): Body;
  walletTransfers(wallet: Address, page: WalletTransferPage): Body;
  sends(mint: Address, window: SendWindow): Body;
}

/** Answers about tokens kept of each kind, those asked for last: some kilobytes each. */
const KEPT_ANSWERS = 500;
const HOUR_SECONDS = 3_600;
const LONGEST_WINDOW: TransferWindow = '168h';

export interface MovementDeps {
  readonly client: StoreClient;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly shelf: BookShelf;
}

export function createMovementAnswers({ client, feed, clock, shelf }: MovementDeps): MovementAnswers {
  const reads = createTokenReads(client);
  const clusters = createRefreshed<Buffer | Absence>({ clock, capacity: KEPT_ANSWERS });
  const sends = createRefreshed<Buffer | Absence>({ clock, capacity: KEPT_ANSWERS });
  const stored = (mint: Address) => openStoredToken({ reads, following: shelf.follow(), feed, clock }, mint);
  /** The token, known or not, once the store has what is known of it. */
  const openToken = async (mint: Address) => {
    await stored(mint);
    return shelf.open(mint, tokenSection(reads, mint));
  };
  const readSends = createSendsReader({ client, reads, feed, clock, openToken });
  const coverage = createCoverageReader(client, clock);
  const wholeSince = createWholeSince(client, clock);
  const now = () => Math.floor(clock.now() / 1000);

  async function makeClusters(mint: Address): Promise<Buffer | Absence> {
    const token = await stored(mint);
    if (token instanceof Absence) return token;
    const mark = feed.committedSlot;
    const state = await tokenAsOf(reads, token.state, mark);
    if (state instanceof Absence) return state;
    const creator = creatorOf(state);
    const early = await readEarlyBuyers(client, mint, creator, mark, EARLY_BUYERS);
    const { creation } = state;
    const { buyers, context } = await readFundedBuyers(client, { mint, wallets: early, creation, mark });
    const partial = creation?.partial !== false;
    return stampBody(fundingClustersBody(buyers, clusterByFunder(buyers, context), partial), mark);
  }

  return {
    fundingClusters: (mint) => shared(clusters, mint, () => makeClusters(mint)),

    async transfers(mint, { window, limit, cursor }) {
      const start = cursor?.from ?? now();
      const after = cursor ?? { ...NEWEST_PLACE, from: start };
      const [token, slots, kept] = await Promise.all([openToken(mint), coverage(), wholeSince()]);
      const mark = feed.committedSlot;
      const { state } = token;
      const [absence, rows] = await Promise.all([
        absenceAt(reads, state, mark),
        readMintTransfers(client, mint, mark, boundOf(after), limit + 1),
      ]);
      // A mint that was only ever sent, be it inside trades, is known by that.
      if (rows.length === 0 && absence !== undefined && !(await wasEverSent(client, mint, mark))) return absence;
      const cut = cutTransfers(rows, limit, oldestOf(start, window));
      const next = cursorAfter(cut, after, start);
      // A page reaches to the next one's first row, the last page to the creation.
      const { creation } = bornBy(state, mark);
      const end = cut.next ?? (creation?.partial === false ? creation : undefined);
      const isKept = (kept.get('transfers') ?? 0) <= (end?.time || Number.POSITIVE_INFINITY);
      const isWhole = end !== undefined && isKept && coversUpTo(slots, end.slot, Math.min(after.slot, mark));
      return stampBody(transfersBody(cut.shown, next && encodeTransferCursor(next), !isWhole), mark);
    },

    async walletTransfers(wallet, { window, limit, cursor, direction }) {
      const start = cursor?.from ?? now();
      const after = cursor ?? { ...NEWEST_PLACE, from: start, mint: '' };
      const before = { ...boundOf(after), mint: after.mint as Address | '' };
      const sides = { sent: direction !== 'in', received: direction !== 'out' };
      const asked = { wallet, ...sides, before, limit: limit + 1 };
      const mark = feed.committedSlot;
      const places = await readWalletTransferPlaces(client, asked, mark);
      if (places.length === 0 && !(await isKnownWallet(client, wallet, mark))) return new Absence(mark);
      const cut = cutTransfers(places, limit, oldestOf(start, window));
      const next = cursorAfter(cut, after, start);
      const { mint } = cut.shown.at(-1) ?? after;
      const rows = await readTransfersAt(client, wallet, cut.shown);
      return stampBody(transfersBody(rows, next && encodeWalletTransferCursor({ ...next, mint })), mark);
    },

    sends: (mint, window) => shared(sends, `${mint} ${window}`, () => readSends(mint, window)),
  };
}

/** The value at hand, else the one that all who ask wait for. */
function shared(values: RefreshedValues<Buffer | Absence>, key: string, make: () => Promise<Buffer | Absence>): Body {
  const ready = values.ready(key)?.value;
  return ready instanceof Buffer ? ready : values.get(key, make).then(({ value }) => value);
}

function boundOf({ slot, blockIndex, ixIndex }: TransferCursor) {
  return { slot, block_index: blockIndex, ix_index: ixIndex };
}

function oldestOf(start: number, window: TransferWindow = LONGEST_WINDOW): number {
  return start - TRANSFER_WINDOWS[window] * HOUR_SECONDS;
}

interface CutRow {
  readonly slot: number;
  readonly block_index: number;
  readonly ix_index: number;
  readonly time: number;
}

/** Behind the last row shown; the next page looks back from the first row that is not, so that none is empty. */
function cursorAfter({ shown, next }: TransferCut<CutRow>, after: TransferCursor, start: number) {
  if (next === undefined) return undefined;
  const from = next.time === 0 ? start : next.time;
  const last = shown.at(-1);
  if (last === undefined) return { slot: after.slot, blockIndex: after.blockIndex, ixIndex: after.ixIndex, from };
  return { slot: last.slot, blockIndex: last.block_index, ixIndex: last.ix_index, from };
}

function transfersBody(rows: readonly TransferRow[], next: string | undefined, partial = false): Buffer {
  return listBody(
    rows.map((row) => Buffer.from(transferRowJson(row))),
    next,
    partial,
  );
}
