import type { Body, BodyKey } from '../books/body-cache.ts';
import type { Address } from '../chain/address.ts';
import { type KnownTokenDeps, openKnownToken } from './known-token.ts';
import type { TokenState } from './state.ts';

/** Of answers that time does not change. */
const ANY_TIME = 0;

/** Makes a body out of the token as it stands when it is asked for; calls `passing` when it is not to be kept. */
type BodyMaker = (token: () => TokenState, passing: () => void) => Promise<Buffer>;

/**
 * The kept answer, or a new one that is kept under `key` until the book changes.
 * Without a key, or when its maker calls `passing`, it is made anew every time.
 */
export type KeptAnswers = (mint: Address, key: BodyKey | undefined, build: BodyMaker) => Body;

/** Answers about a token, kept in its book; undefined when nothing is known of it. */
export function createKeptAnswers({ reads, shelf }: KnownTokenDeps): KeptAnswers {
  async function make(mint: Address, key: BodyKey | undefined, build: BodyMaker): Promise<Buffer | undefined> {
    const { epoch } = shelf;
    const token = await openKnownToken({ reads, shelf }, mint);
    if (token === undefined) return undefined;
    const bodies = shelf.bodies(mint);
    const version = bodies?.version ?? 0;
    let keeps = key !== undefined;
    const body = await build(
      () => token.state,
      () => {
        keeps = false;
      },
    );
    // The book may be a newer one than what the answer is made of.
    if (key !== undefined && keeps && shelf.epoch === epoch) bodies?.set(key, body, version);
    return body;
  }

  return (mint, key, build) => {
    const kept = key === undefined ? undefined : shelf.bodies(mint)?.get(key);
    return kept ?? make(mint, key, build);
  };
}

/** The key of an answer that only news of the token change. */
export function untilNews(name: string): BodyKey {
  return { name, stamp: ANY_TIME };
}
