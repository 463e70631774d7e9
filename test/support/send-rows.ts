import type { Address } from '../../src/chain/address.ts';
import type { ReceiverPast, SendRow } from '../../src/features/movements/made-holder-rules.ts';
import { judgeSends } from '../../src/features/movements/sends-rules.ts';

/** Sends written as `a>b`, and their verdict by what is known of the receivers: for tests of the rules. */

/** `a>b`, `a>b:5` for an amount; those with the same place share a transaction. */
export function sends(...texts: readonly string[]): SendRow[] {
  return texts.map((text, place) => {
    const [edge = '', amount = '10', at = String(place)] = text.split(':');
    const [sender, receiver] = edge.split('>') as [Address, Address];
    const ix_index = place;
    return {
      slot: 1_000 + Number(at),
      block_index: 3,
      ix_index,
      time: SENT,
      sender,
      receiver,
      amount: BigInt(amount),
      ambiguous: false,
      hidden: false,
    };
  });
}

/** `d` sends to so many wallets. */
export function handout(count: number, from = 'd'): SendRow[] {
  return sends(...Array.from({ length: count }, (_, i) => `${from}>${from}${i}`));
}

export interface Known {
  readonly bought?: readonly string[];
  readonly entered?: readonly string[];
  readonly funded?: readonly string[];
}

/** Pasts of the receivers of sends: all were looked up, and `d` funded some. */
export function pastsOfAll(rows: readonly SendRow[], { bought = [], entered = [], funded = [] }: Known = {}) {
  return new Map<Address | '', ReceiverPast>(
    rows.map(({ receiver }) => [
      receiver,
      {
        bought: bought.includes(receiver),
        entered: entered.includes(receiver) || bought.includes(receiver),
        funder: funded.includes(receiver) ? GIVER : undefined,
      },
    ]),
  );
}

export const GIVER = 'd' as Address;
export const SOMEBODY = 'creator' as Address;
export const SOMEBODYS = { creator: SOMEBODY, time: 0 };
/** Times at which the tokens were made and are sent, Unix seconds. */
export const BORN = 10_000;
export const SENT = 20_000;

export function judge(rows: readonly SendRow[], known: Known = {}, creator: Address | undefined = SOMEBODY) {
  return judgeSends(rows, pastsOfAll(rows, known), { creator, time: BORN });
}

export const verdictOf = (...asked: Parameters<typeof judge>) => judge(...asked).verdict;
export const names = (count: number, from = 0) => Array.from({ length: count }, (_, i) => `d${from + i}`);
