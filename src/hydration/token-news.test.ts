import { expect, it } from 'vitest';
import { address } from '../../test/support/token-world-rows.ts';
import type { Address } from '../chain/address.ts';
import { silentLogger } from '../kernel/log.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import { createTokenNews } from './token-news.ts';

it('are told all the same once they have waited for twelve tries', async () => {
  const told: Address[] = [];
  // The store is away: nothing is asked of it.
  const client = {} as StoreClient;
  const stored = () => Promise.reject(new Error('the store is away'));
  const news = createTokenNews({ client, log: silentLogger, stored, changed: (mints) => void told.push(...mints) });
  const mints = [address(11), address(12)];
  news.add(mints);
  for (let tries = 1; tries < 12; tries += 1) await news.tell();
  expect(told).toEqual([]);
  await news.tell();
  expect(told).toEqual(mints);
});
