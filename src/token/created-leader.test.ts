import { expect, it } from 'vitest';
import { address } from '../../test/support/token-world-rows.ts';
import type { Address } from '../chain/address.ts';
import type { TokenCreationRow } from '../store/clickhouse/schema/tables.ts';
import { withCreatedLeaders } from './created-leader.ts';
import { listRow } from './list-row.ts';
import type { ListedToken } from './listed-reads.ts';
import { snapshotBody } from './state.ts';

const LEADER = { identity: address(8), client: 'Jito', relay_flag: true, stake: '5' };

/** A token made in this slot; of 0 its creation was not seen. */
function listed(slot: number): ListedToken {
  const creation =
    slot === 0 ? undefined : ({ slot, time: 0, name: 'A', symbol: 'B', creator: '' } as TokenCreationRow);
  const nothing = { completion: undefined, graduation: undefined, creatorChange: undefined };
  return {
    mint: address(slot + 1),
    facts: { creation, ...nothing, lastSwap: undefined, lastPriced: undefined },
    traders: { count: 0, quotes: 0, quote: '', wallets: undefined },
  };
}

it('rows of lists and snapshots tell who led the slot of the creation, where that is known', async () => {
  const asked: (readonly number[])[] = [];
  const leaders = {
    at: (slot: number) => (slot === 7 ? LEADER : undefined),
    ready: (slots: readonly number[]) => {
      asked.push(slots);
      return undefined;
    },
    changes: 0,
  };
  const read = withCreatedLeaders(async () => [listed(7), listed(0), listed(9)], leaders);
  const tokens = await read([], 10);
  expect(asked).toEqual([[7, 9]]);
  const figures = { now: 0, trades: 0, quotes: [] };
  expect(tokens.map((token) => listRow(token, figures, undefined).created_leader)).toEqual([
    LEADER,
    undefined,
    undefined,
  ]);
  expect(listRow(listed(7), figures, undefined)).not.toMatchObject({ created_leader: LEADER });
  const snapshot = (slot: number) =>
    JSON.parse(String(snapshotBody({ mint: '' as Address, ...listed(slot).facts }, undefined, leaders.at)));
  expect(snapshot(7).created_leader).toEqual(LEADER);
  for (const slot of [0, 9]) expect(snapshot(slot)).not.toHaveProperty('created_leader');
});
