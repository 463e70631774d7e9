import type { BookShelf } from '../../books/book-shelf.ts';
import { jsonBody, timeText } from '../../books/json-text.ts';
import type { Address } from '../../chain/address.ts';
import { stampBody } from '../../contract/stamp.ts';
import type { Written } from '../../contract/written.ts';
import { tokenSection } from '../../token/section.ts';
import { tokenFields } from '../../token/state.ts';
import type { TokenReads } from '../../token/token-reads.ts';
import type { MarketEvent } from './contract.ts';
import type { ListedEvent } from './event-rules.ts';
import type { EventsAsked } from './event-section.ts';

export interface EventsBodyDeps {
  readonly reads: TokenReads;
  readonly shelf: BookShelf;
}

/** Rows of events, with what is known of their tokens. */
export async function eventsBody({ reads, shelf }: EventsBodyDeps, asked: EventsAsked): Promise<Buffer> {
  const { events, from, lostAt, wholeFrom, slot } = asked;
  const mints = [...new Set(events.map(({ mint }) => mint))];
  const following = shelf.follow();
  const tokens = await Promise.all(
    mints.map(async (mint) => [mint, await tokenName(following.open(mint, tokenSection(reads, mint)))] as const),
  );
  const names: ReadonlyMap<Address, TokenName> = new Map(tokens);
  const since = Math.max(from, wholeFrom, lostAt === undefined ? 0 : lostAt + 1);
  const data = events.map((event) => eventRow(event, names.get(event.mint)));
  return stampBody(jsonBody({ data, since: since > from ? timeText(since) : undefined }), slot);
}

type TokenName = Pick<Written<MarketEvent>, 'symbol' | 'mayhem'>;

/** A token's symbol and mode are those that it was made with: they are of every slot that has an event of it. */
async function tokenName(opening: Promise<{ readonly state: Parameters<typeof tokenFields>[0] }>): Promise<TokenName> {
  const { symbol, mayhem } = tokenFields((await opening).state, undefined);
  return { symbol, mayhem };
}

function eventRow({ time, mint, actor, trade }: ListedEvent, name: TokenName | undefined): Written<MarketEvent> {
  return {
    kind: trade === undefined ? 'graduation' : 'trade',
    time: timeText(time),
    mint,
    symbol: name?.symbol,
    actor: actor || undefined,
    is_buy: trade?.isBuy,
    sol_amount: trade?.lamports.toString(),
    mayhem: name?.mayhem,
  };
}
