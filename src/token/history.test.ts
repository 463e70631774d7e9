import { expect, it } from 'vitest';
import type { TokenCreationRow } from '../store/clickhouse/schema/tables.ts';
import { openWhole } from './history.ts';

const CREATION = { slot: 7 } as TokenCreationRow;
const isWhole = async (creation: TokenCreationRow | undefined) => creation !== undefined;

it('asks again about a token that is born while it is opened', async () => {
  let creation: TokenCreationRow | undefined;
  let opened = 0;
  const open = async () => {
    opened += 1;
    creation = CREATION;
    return opened;
  };
  expect(await openWhole(isWhole, () => creation, open)).toEqual({ whole: true, opened: 2 });
});

it('asks before it opens, once about a token whose birth nobody has seen', async () => {
  const order: string[] = [];
  const asked = async () => {
    order.push('asked');
    return false;
  };
  const open = async () => order.push('opened');
  expect(await openWhole(asked, () => undefined, open)).toEqual({ whole: false, opened: 2 });
  expect(order).toEqual(['asked', 'opened']);
});
