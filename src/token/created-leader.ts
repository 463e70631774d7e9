import type { Address } from '../chain/address.ts';
import type { ListedToken } from './listed-reads.ts';
import type { ListingsRead } from './listing-section.ts';
import type { LeaderOf } from './state.ts';

/** Who led the slots in which tokens were created, and others; best effort, as far as schedules are kept. */
export interface CreatedLeaders {
  /** Undefined when nobody is known, or {@link ready} has not been asked for the slot. */
  readonly at: LeaderOf;
  /**
   * Resolves when all is at hand that is known of these slots; undefined when it is already. False when the store does not
   * tell now: what is made without it is not to be kept. Never rejects.
   */
  ready(slots: readonly number[]): Promise<boolean> | undefined;
  /** Another number when more may be known, or otherwise. */
  readonly changes: number;
}

/** Nobody is known. */
export const NO_CREATED_LEADERS: CreatedLeaders = { at: () => undefined, ready: () => undefined, changes: 0 };

/** The same tokens, with the leaders of their creations at hand. */
export function withCreatedLeaders(
  listTokens: ListingsRead['listTokens'],
  leaders: CreatedLeaders,
): (mints: readonly Address[], mark: number) => Promise<readonly ListedToken[]> {
  return async (mints, mark) => {
    const tokens = await listTokens(mints, mark);
    await leaders.ready(tokens.flatMap(({ facts }) => facts.creation?.slot || []));
    return tokens.map((token) => ({ ...token, leaderOf: leaders.at }));
  };
}
