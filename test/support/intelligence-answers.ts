import { createHolderAnswers, type HolderAnswers } from '../../src/features/holders/answers.ts';
import { createHolderStats } from '../../src/features/holders/stats.ts';
import {
  createIntelligenceAnswers,
  type IntelligenceAnswers,
  type IntelligenceDeps,
} from '../../src/features/intelligence/answers.ts';
import type { Feed } from '../../src/feed/feed.ts';

/** Intelligence, and the holders' figures that it is made beside. */
export type HeldAnswers = IntelligenceAnswers & Pick<HolderAnswers, 'holderStats'>;

const isWhole = async () => true;

export function openIntelligence(
  deps: Omit<IntelligenceDeps, 'stats' | 'feed'> & { readonly feed: Feed },
): HeldAnswers {
  const stats = createHolderStats({ ...deps, snapshots: deps.holderSnapshots, isWhole });
  const { holderStats } = createHolderAnswers({ ...deps, sizes: { holders: 0 }, stats, snapshots: undefined, isWhole });
  return { ...createIntelligenceAnswers({ ...deps, stats }), holderStats };
}
