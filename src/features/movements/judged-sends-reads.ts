import type { Address } from '../../chain/address.ts';
import { bondingCurveAddress, canonicalPoolAddress } from '../../programs/pump/addresses.ts';
import { isProtocolActor } from '../../programs/registry/index.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { readMintPools } from '../../token/pool-reads.ts';
import type { SettledDeps } from '../../token/settled.ts';
import { creatorOf, type TokenState } from '../../token/state.ts';
import { walletLabel } from './funded-buyer-reads.ts';
import { readFirstFundings } from './funding-reads.ts';
import { type Origin, possibleTeam, type ReceiverPast } from './made-holder-rules.ts';
import { isSurelyBefore } from './place-rules.ts';
import { mayFeedPlatforms, withoutShares } from './platform-rules.ts';
import {
  readTradersElsewhere,
  readWindowBuyers,
  readWindowCustomers,
  readWindowSends,
  type WindowSendRow,
} from './sends-reads.ts';
import { judgeSends, type SendsJudgement, sendsOfPeople, viewsOf } from './sends-rules.ts';
import { readTiedSwaps } from './tied-swap-reads.ts';

/** Sends of a window that are judged, the newest ones; of those inside trades, which bots can make, as many apart. */
const MAX_SENDS = 5_000;
/** Receivers that are looked up for what else they trade, and for who funded them: they stand for all. */
const SAMPLED_RECEIVERS = 256;

/** Choice of sends of a mint: since Unix second `since`, as the store has them up to slot `mark`. */
export interface AskedSends {
  readonly mint: Address;
  readonly mark: number;
  readonly since: number;
}

/** Sends that were judged, the newest ones. */
export interface JudgedSends {
  readonly judgement: SendsJudgement;
  /** Of the token; any when nothing was sent. */
  readonly decimals: number;
  /** Sends that are no sends between people; hidden ones are not counted. */
  readonly leftOut: number;
  /** Unix seconds of the oldest send judged; 0 without one. */
  readonly oldest: number;
  /** True when there are more than were read. */
  readonly partial: boolean;
  /** Number of sends that were found of the mint, whoever's. */
  readonly read: number;
}

export function originOf(state: TokenState): Origin {
  return { creator: creatorOf(state), time: state.creation?.time ?? 0 };
}

export interface JudgedSendsDeps extends SettledDeps {
  readonly client: StoreClient;
}

/**
 * Reads how sends spread a token, and judges them: the one rule of /sends and of the pattern `distributed_by_transfer`.
 * Those that a venue's transaction hides are among them.
 */
export async function readJudgedSends(
  { client, ...settled }: JudgedSendsDeps,
  asked: AskedSends,
  origin: Origin,
): Promise<JudgedSends> {
  const { mint, mark } = asked;
  const window = { ...asked, limit: MAX_SENDS + 1 };
  const [found, pools] = await Promise.all([readWindowSends(client, window), readMintPools(client, mint)]);
  const rows = newestOfBoth(found);
  const markets = new Set<Address | ''>([bondingCurveAddress(mint), canonicalPoolAddress(mint, undefined), ...pools]);
  const between = sendsOfPeople(rows, (wallet) => markets.has(wallet) || isInstitution(wallet));
  const people = mayFeedPlatforms(between)
    ? withoutShares(between, await readWindowCustomers(client, window, settled))
    : between;
  const bought =
    people.length === 0 ? new Map<Address | '', number>() : await readWindowBuyers(client, window, settled);
  const pasts = await readPasts(client, asked, people, bought);
  const mates = viewsOf(people).flatMap(({ sends }) => possibleTeam(sends, pasts, origin));
  const team = [...new Set(mates)].slice(0, SAMPLED_RECEIVERS);
  const countShown = (sends: readonly WindowSendRow[]) => sends.filter(({ hidden }) => !hidden).length;
  return {
    judgement: judgeSends(people, await withFunders(client, pasts, team, mark), origin),
    decimals: people[0]?.decimals ?? 0,
    leftOut: countShown(rows) - countShown(people),
    oldest: Math.max(people.at(-1)?.time ?? 0, cutAt(found)),
    partial: found.length > rows.length,
    read: found.length,
  };
}

/** Time from which on there are both kinds, where there was no room for all of one, Unix seconds; 0 where there was. */
function cutAt(found: readonly WindowSendRow[]): number {
  const kinds = [found.filter(({ hidden }) => hidden), found.filter(({ hidden }) => !hidden)];
  return Math.max(0, ...kinds.map((rows) => (rows.length > MAX_SENDS ? rows[MAX_SENDS - 1]!.time : 0)));
}

/** Those inside trades have a window of their own, in which they push out no others. */
function newestOfBoth(found: readonly WindowSendRow[]): readonly WindowSendRow[] {
  const left = { shown: MAX_SENDS, hidden: MAX_SENDS };
  return found.filter(({ hidden }) => left[hidden ? 'hidden' : 'shown']-- > 0);
}

function isInstitution(wallet: Address | ''): boolean {
  return wallet !== '' && (isProtocolActor(wallet) || walletLabel(wallet) !== undefined);
}

/** `sends` newest first; `bought` has the slot of the first trade of those that ever bought. */
async function readPasts(
  client: StoreClient,
  asked: AskedSends,
  sends: readonly WindowSendRow[],
  bought: ReadonlyMap<Address | '', number>,
): Promise<ReadonlyMap<Address | '', ReceiverPast>> {
  const { mint } = asked;
  // The earliest send to each comes last.
  const firstSends = new Map(sends.map((send) => [send.receiver, send]));
  const shownSends = new Map(sends.filter(({ hidden }) => !hidden).map((send) => [send.receiver, send]));
  const buyers = await readBuyersBefore(client, mint, firstSends, bought);
  const shownBuyers = await readBuyersBefore(client, mint, shownSends, bought);
  const fresh = [...firstSends.keys()].filter((wallet) => !buyers.has(wallet));
  // Addresses are as good as random.
  const sample = new Set<Address | ''>(fresh.sort().slice(0, SAMPLED_RECEIVERS));
  const elsewhere = await readTradersElsewhere(client, asked, fresh.slice(0, SAMPLED_RECEIVERS));
  return new Map(
    [...firstSends.keys()].map((wallet) => [
      wallet,
      {
        bought: buyers.has(wallet),
        boughtBeforeShown: shownBuyers.has(wallet),
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
