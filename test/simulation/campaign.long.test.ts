import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { extent } from '../support/extent.ts';
import { planAdversity } from './adversity.ts';
import { type Campaign, startCampaign, tellStory } from './campaign.ts';

interface NotableSeed {
  readonly seed: string;
  readonly why: string;
}

const notable = JSON.parse(
  readFileSync(new URL('./notable-seeds.json', import.meta.url), 'utf8'),
) as readonly NotableSeed[];

let campaign: Campaign;
beforeAll(async () => {
  campaign = await startCampaign();
});
afterAll(() => campaign?.close());

describe('ingest under adversity that once found something', () => {
  it.each(extent(notable.slice(1, 2), notable).map(({ seed, why }) => [seed, why] as const))(
    'ends in the truth of seed %s: %s',
    async (seed) => {
      const outcome = await campaign.run(planAdversity(seed));
      expect(outcome.fault === undefined ? '' : tellStory(outcome)).toBe('');
    },
  );
});
