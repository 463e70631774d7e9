import type { Address } from '../../chain/address.ts';
import { stampBody } from '../../contract/stamp.ts';
import { NEWEST_PLACE } from '../../contract/transfer-cursor.ts';
import type { Feed } from '../../feed/feed.ts';
import type { Clock } from '../../kernel/clock.ts';
import { bondingCurveAddress, canonicalPoolAddress } from '../../programs/pump/addresses.ts';
import { isProtocolActor } from '../../programs/registry/index.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { readMintPools } from '../../token/pool-reads.ts';
import type { TokenSection } from '../../token/section.ts';
import { creatorOf } from '../../token/state.ts';
import { SEND_WINDOWS, type SendWindow } from './contract.ts';
import { walletLabel } from './funded-buyer-reads.ts';
import { readFirstFundings } from './funding-reads.ts';
import { possibleTeam, type ReceiverPast } from './made-holder-rules.ts';
import { isSurelyBefore } from './place-rules.ts';
import { sendsBody } from './sends-body.ts';
import { readTradersElsewhere, readWindowBuyers, readWindowSends, type WindowSendRow } from './sends-reads.ts';
import { judgeSends, sendsOfPeople } from './sends-rules.ts';
import { readTiedSwaps } from './tied-swap-reads.ts';
import { readMintTransfers } from './transfer-reads.ts';

/** Sends of a window that are judged, the newest ones. */
const MAX_SENDS = 5_000;
/** Receivers that are looked up for what else they trade, and for who funded them: they stand for all. */
const SAMPLED_RECEIVERS = 256;
const HOUR_SECONDS = 3_600;
const NEWEST = { slot: NEWEST_PLACE.slot, block_index: NEWEST_PLACE.blockIndex, ix_index: NEWEST_PLACE.ixIndex };

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
    const asked = { mint, mark: feed.committedSlot, since, limit: MAX_SENDS + 1 };
    const [{ known, state }, found, pools] = await Promise.all([
      openToken(mint),
      readWindowSends(client, asked),
      readMintPools(client, mint),
    ]);
    if (!known && found.length === 0 && !(await wasEverSent(client, mint, asked.mark))) return undefined;
    const rows = found.slice(0, MAX_SENDS);
    const markets = new Set<Address | ''>([bondingCurveAddress(mint), canonicalPoolAddress(mint, undefined), ...pools]);
    const people = sendsOfPeople(rows, (wallet) => markets.has(wallet) || isInstitution(wallet));
    const bought = people.length === 0 ? new Map<Address | '', number>() : await readWindowBuyers(client, asked);
    const origin = { creator: creatorOf(state), time: state.creation?.time ?? 0 };
    const pasts = await readPasts(client, mint, people, bought);
    const team = possibleTeam(people, pasts, origin).slice(0, SAMPLED_RECEIVERS);
    const judgement = judgeSends(people, await withFunders(client, pasts, team, asked.mark), origin);
    const body = sendsBody({
      mint,
      window,
      judgement,
      decimals: people[0]?.decimals ?? 0,
      leftOut: rows.length - people.length,
      since: people.at(-1)?.time ?? 0,
      partial: found.length > rows.length,
    });
    return stampBody(body, asked.mark);
  };
}

/** A mint that was only ever sent is known by that, in whatever window. */
async function wasEverSent(client: StoreClient, mint: Address, mark: number): Promise<boolean> {
  return (await readMintTransfers(client, mint, mark, NEWEST, 1)).length > 0;
}

function isInstitution(wallet: Address | ''): boolean {
  return wallet !== '' && (isProtocolActor(wallet) || walletLabel(wallet) !== undefined);
}

/** `sends` newest first; `bought` has the slot of the first trade of those that ever bought. */
async function readPasts(
  client: StoreClient,
  mint: Address,
  sends: readonly WindowSendRow[],
  bought: ReadonlyMap<Address | '', number>,
): Promise<ReadonlyMap<Address | '', ReceiverPast>> {
  // The earliest send to each comes last.
  const firstSends = new Map(sends.map((send) => [send.receiver, send]));
  const buyers = await readBuyersBefore(client, mint, firstSends, bought);
  const fresh = [...firstSends.keys()].filter((wallet) => !buyers.has(wallet));
  // Addresses are as good as random.
  const sample = new Set<Address | ''>(fresh.sort().slice(0, SAMPLED_RECEIVERS));
  const elsewhere = await readTradersElsewhere(client, mint, fresh.slice(0, SAMPLED_RECEIVERS));
  return new Map(
    [...firstSends.keys()].map((wallet) => [
      wallet,
      {
        bought: buyers.has(wallet),
        // Later buyers outside the sample would weigh more than others outside it.
        entered: sample.has(wallet) ? bought.has(wallet) || elsewhere.has(wallet) : undefined,
      },
    ]),
  );
}

/** Receivers whose first trade was not surely behind the first send to them. */
async function readBuyersBefore(
  client: StoreClient,
  mint: Address,
  firstSends: ReadonlyMap<Address | '', WindowSendRow>,
  bought: ReadonlyMap<Address | '', number>,
): Promise<ReadonlySet<Address | ''>> {
  const traded = [...bought].flatMap(([wallet, slot]) => {
    const send = firstSends.get(wallet);
    return wallet === '' || send === undefined || slot > send.slot ? [] : [{ wallet, slot, send }];
  });
  const places = await readTiedSwaps(
    client,
    mint,
    traded.filter(({ slot, send }) => slot === send.slot),
  );
  const before = traded.filter(({ wallet, send }) => {
    const trade = places.get(wallet);
    return trade === undefined || !isSurelyBefore(send, trade);
  });
  return new Set(before.map(({ wallet }) => wallet));
}

/** Adds the first funders of a few wallets alone: those of the others decide nothing. */
async function withFunders(
  client: StoreClient,
  pasts: ReadonlyMap<Address | '', ReceiverPast>,
  wallets: readonly Address[],
  mark: number,
): Promise<ReadonlyMap<Address | '', ReceiverPast>> {
  if (wallets.length === 0) return pasts;
  const fundings = await readFirstFundings(client, wallets, mark);
  return new Map(
    [...pasts].map(([wallet, past]) => [
      wallet,
      { ...past, funder: fundings.get(wallet as Address)?.funder || undefined },
    ]),
  );
}
