import type { Address } from '../../chain/address.ts';
import { stampBody } from '../../contract/stamp.ts';
import type { Feed } from '../../feed/feed.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import type { TokenSection } from '../../token/section.ts';
import { SEND_WINDOWS, type SendWindow } from './contract.ts';
import { originOf, readJudgedSends } from './judged-sends-reads.ts';
import { sendsBody } from './sends-body.ts';
import { wasEverSent } from './transfer-reads.ts';

const HOUR_SECONDS = 3_600;

export interface SendsDeps {
  readonly client: StoreClient;
  readonly feed: Pick<Feed, 'committedSlot'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly openToken: (mint: Address) => Promise<TokenSection>;
}

/** Reads how a token's sends of a window spread it, as JSON; undefined when nothing is known of the mint. */
export function createSendsReader({ client, feed, clock, openToken }: SendsDeps) {
  return async (mint: Address, window: SendWindow): Promise<Buffer | undefined> => {
    const since = Math.floor(clock.now() / 1000) - SEND_WINDOWS[window].hours * HOUR_SECONDS;
    const mark = feed.committedSlot;
    const { known, state } = await openToken(mint);
    const found = await readJudgedSends(client, { mint, mark, since }, originOf(state));
    // A mint that was only ever sent is known by that, in whatever window.
    if (!known && found.read === 0 && !(await wasEverSent(client, mint, mark))) return undefined;
    return stampBody(sendsBody({ mint, window, ...found }), mark);
  };
}
