import type { Address } from '../../chain/address.ts';
import { type Absence, stampBody } from '../../contract/stamp.ts';
import type { Feed } from '../../feed/feed.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { createUnbrokenReader, createWholeSince, type UnbrokenSlots } from '../../token/history.ts';
import type { TokenSection } from '../../token/section.ts';
import { absenceAt, bornBy } from '../../token/settled.ts';
import type { TokenState } from '../../token/state.ts';
import type { TokenReads } from '../../token/token-reads.ts';
import { SEND_WINDOWS, type SendWindow } from './contract.ts';
import { createHiddenSince } from './hidden-since-reads.ts';
import { originOf, readJudgedSends } from './judged-sends-reads.ts';
import { type JudgedWindow, sendsBody } from './sends-body.ts';
import { wasEverSent } from './transfer-reads.ts';

const HOUR_SECONDS = 3_600;

export interface SendsDeps {
  readonly client: StoreClient;
  readonly reads: TokenReads;
  readonly feed: Pick<Feed, 'committedSlot'>;
  readonly clock: Clock;
  readonly openToken: (mint: Address) => Promise<TokenSection>;
}

/** Reads how a token's sends of a window spread it, as JSON; an absence when nothing is known of the mint. */
export function createSendsReader({ client, reads, feed, clock, openToken }: SendsDeps) {
  const unbroken = createUnbrokenReader(client, clock);
  const wholeSince = createWholeSince(client, clock);
  const hiddenSince = createHiddenSince(client, clock);
  return async (mint: Address, window: SendWindow): Promise<Buffer | Absence> => {
    const since = Math.floor(clock.now() / 1000) - SEND_WINDOWS[window].hours * HOUR_SECONDS;
    const { state: newest } = await openToken(mint);
    const mark = feed.committedSlot;
    // Before the rows: what is missing now may have come by the time that they are read.
    const [slots, kept, told] = await Promise.all([unbroken(), wholeSince(), hiddenSince()]);
    const absence = await absenceAt(reads, newest, mark);
    const state = bornBy(newest, mark);
    const coverage = coverageOf(state, since, slots, Math.max(kept.get('transfers') ?? 0, told));
    const found = await readJudgedSends({ client, feed, clock }, { mint, mark, since }, originOf(state));
    // A mint that was only ever sent is known by that, in whatever window.
    if (absence !== undefined && found.read === 0 && !(await wasEverSent(client, mint, mark))) return absence;
    return stampBody(sendsBody({ mint, window, ...found, ...coverage }), mark);
  };
}

/** Whether every send of a window since Unix second `since` is known, and since when all are where not. */
function coverageOf(
  { creation }: TokenState,
  since: number,
  slots: UnbrokenSlots | undefined,
  keptSince: number,
): Pick<JudgedWindow, 'isCovered' | 'coveredSince'> {
  const covered = slots?.since === undefined ? undefined : Math.max(slots.since, keptSince);
  if (covered !== undefined && covered <= since) return { isCovered: true, coveredSince: undefined };
  // Before its creation nobody can have sent it.
  const isBornInside = creation !== undefined && slots !== undefined && creation.slot >= slots.first;
  const isCovered = isBornInside && !creation.partial && keptSince <= Math.max(since, creation.time);
  return { isCovered, coveredSince: isCovered ? undefined : covered };
}
