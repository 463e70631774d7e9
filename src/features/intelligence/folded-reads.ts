import { Type } from 'typebox';
import type { Address } from '../../chain/address.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { defineQuery } from '../../store/query.ts';

const marks = defineQuery({
  sql: new URL('./positions-folded.sql', import.meta.url),
  params: Type.Object({ mint: Type.String() }),
  row: Type.Object({ newest: Type.Integer(), answered: Type.Integer() }),
});

/**
 * The newest late swap that positions of a mint were folded again for, by its mark; undefined while
 * one still waits, so that they are not right. The same before and after a read of positions says
 * that nothing came late meanwhile.
 */
export async function readFoldedMark(client: StoreClient, mint: Address): Promise<number | undefined> {
  const [row] = await marks(client, { mint });
  const { newest, answered } = row!;
  return newest > answered ? undefined : newest;
}
