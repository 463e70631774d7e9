import type { Address } from '../../chain/address.ts';
import type { TransferRow } from '../../store/clickhouse/schema/tables.ts';
import { type Wallets, withoutSmall } from './crumb-rules.ts';
import { groupBy } from './group-by.ts';

/** Wallets that somebody makes holders of a token: handed it without ever having entered a market. docs/research.md, "Sends". */

/** Somebody hands out when so many wallets got some that had not bought it, … */
export const HANDOUT_WALLETS = 5;
/** … and makes holders of them when so many of these in a hundred are in no market at all. */
export const STRANGER_PCT = 80;
/** Holders are made when so many receivers in a hundred are such wallets. */
export const MADE_PCT = 60;
/** Up to so many of the creator's may be its team, … */
export const TEAM_WALLETS = 6;
/** … unless they got theirs within so many seconds of the creation, … */
export const PREPARED_SECONDS = 5;
/** … or one in so many of them at least lives on the creator's money. */
export const OWN_SHARE = 2;

/** Creator of the token, and the time of its creation in Unix seconds: 0 while that is not known. */
export interface Origin {
  readonly creator: Address | undefined;
  readonly time: number;
}

interface Handout {
  readonly giver: Address | '';
  /** Unix seconds of the middle one of its sends. */
  readonly time: number;
  readonly strangers: readonly (Address | '')[];
}

type Pasts = ReadonlyMap<Address | '', ReceiverPast>;

/** Receivers that were made holders and are no team. Without a known creator any giver may be the creator. */
export function findMadeHolders(sends: readonly SendRow[], pasts: Pasts, origin: Origin): ReadonlySet<Address | ''> {
  const made = findHandouts(sends, pasts).filter((handout) => !isTeam(handout, pasts, origin));
  return new Set(made.flatMap(({ strangers }) => strangers));
}

/** The wallets that may be the creator's team: who funded these has a part in the verdict. */
export function possibleTeam(sends: readonly SendRow[], pasts: Pasts, origin: Origin): Address[] {
  const small = findHandouts(sends, pasts).filter((handout) => isSmall(handout, origin));
  return [...new Set(small.flatMap(({ strangers }) => strangers.flatMap((wallet) => wallet || [])))];
}

/** `sends` in order. Of many receivers a sample is looked up, and stands for all. */
function findHandouts(sends: readonly SendRow[], pasts: Pasts): Handout[] {
  return [...groupBy(sends, handOf)].flatMap(([, sent]): Handout | [] => {
    const giver = sent[0]!.ambiguous ? '' : sent[0]!.sender;
    const receivers = [...new Set(sent.map(({ receiver }) => receiver))];
    const fresh = new Set(receivers.filter((wallet) => pasts.get(wallet)?.bought !== true));
    const strangers = [...fresh].filter((wallet) => pasts.get(wallet)?.entered !== true);
    if (strangers.length < HANDOUT_WALLETS) return [];
    const toFresh = sent.filter(({ receiver }) => fresh.has(receiver));
    // People who trade may be thrown crumbs, so that a hand looks as if it gave to anybody.
    const counted = [fresh, withoutSmall(toFresh, new Set(strangers))];
    if (!counted.some((wallets) => areStrangers(wallets, pasts))) return [];
    return { giver, time: sent[sent.length >> 1]!.time, strangers };
  });
}

/** True where enough of these are in no market at all, of those that were looked up. */
function areStrangers(wallets: Wallets, pasts: Pasts): boolean {
  const looked = [...wallets].flatMap((wallet) => pasts.get(wallet)?.entered ?? []);
  const outside = looked.filter((entered) => !entered).length;
  return looked.length > 0 && outside * 100 >= STRANGER_PCT * looked.length;
}

/** Key of the giving hand: the sender, or the transaction, as nobody's hand, when it is unsure who sent to whom. */
function handOf({ ambiguous, sender, slot, block_index }: SendRow): string {
  return ambiguous ? `${slot} ${block_index}` : sender;
}

function isTeam(handout: Handout, pasts: Pasts, origin: Origin): boolean {
  if (!isSmall(handout, origin)) return false;
  const { giver, strangers, time } = handout;
  // A handout that comes so fast was set up with the launch.
  if (origin.time > 0 && time > 0 && time - origin.time <= PREPARED_SECONDS) return false;
  const own = strangers.filter((wallet) => pasts.get(wallet)?.funder === giver);
  return own.length * OWN_SHARE < strangers.length;
}

function isSmall({ giver, strangers }: Handout, { creator }: Origin): boolean {
  return (creator === undefined || giver === creator) && strangers.length <= TEAM_WALLETS;
}

/** A send as the rules need it. A transaction is a place in the chain: slot and block index. */
export type SendRow = Pick<
  TransferRow,
  'slot' | 'block_index' | 'ix_index' | 'time' | 'sender' | 'receiver' | 'amount' | 'ambiguous' | 'hidden'
>;

/** Past of a receiver, as far as it is known. */
export interface ReceiverPast {
  /** It had bought the token before its first send of the window, hidden ones counted. */
  readonly bought: boolean;
  /** The same of its first send that no venue's transaction hides; as `bought` when left out. */
  readonly boughtBeforeShown?: boolean;
  /** It bought the token at some time, later ones too, or trades another; undefined where that was not looked up. */
  readonly entered: boolean | undefined;
  /** Wallet that funded it first; undefined where that is not known, or was not looked up. */
  readonly funder?: Address | undefined;
}
