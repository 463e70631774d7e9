import type { Address } from '../chain/address.ts';
import { createTokenReads } from '../queries/store-reads.ts';
import type { AnswerDeps, Body } from './answers.ts';
import { askedToken, createCounters } from './counters.ts';
import type { HolderSnapshots } from './holder-snapshots.ts';
import { createHolderStats } from './holder-stats.ts';
import { createIntelligence } from './intelligence.ts';
import { tokenSection } from './token-section.ts';
import type { TokenState } from './token-state.ts';

/** How a token is held and by whom. Bodies are shared for a few seconds: they say when they were made. */
export interface IntelligenceAnswers {
  holderStats(mint: Address): Body;
  counters(mint: Address): Body;
  intelligence(mint: Address): Body;
}

export interface IntelligenceDeps extends AnswerDeps {
  /** What a node tells of holders; without one, trades tell. */
  readonly holderSnapshots?: HolderSnapshots | undefined;
}

export function createIntelligenceAnswers(deps: IntelligenceDeps): IntelligenceAnswers {
  const { client, feed, clock, shelf, holderSnapshots } = deps;
  const reads = createTokenReads(client);
  const stats = createHolderStats({ client, clock, snapshots: holderSnapshots });
  const committedSlot = () => feed.committedSlot;
  const counters = createCounters({ client, reads, clock, shelf, committedSlot, stats });
  const snapshots = holderSnapshots;
  const intelligence = createIntelligence({ client, reads, clock, shelf, committedSlot, stats, snapshots });

  /** What is made of a token; undefined when nothing is known of it, which is asked of the store only then. */
  async function ofToken(mint: Address, make: (state: TokenState) => Promise<Buffer>): Promise<Buffer | undefined> {
    const token = await shelf.open(mint, tokenSection(reads, mint));
    return token.known ? make(token.state) : undefined;
  }

  return {
    holderStats: (mint) => stats.ready(mint) ?? ofToken(mint, (state) => stats.get(askedToken(state))),
    counters: (mint) => counters.ready(mint) ?? ofToken(mint, counters.get),
    intelligence: (mint) => intelligence.ready(mint) ?? ofToken(mint, intelligence.get),
  };
}
