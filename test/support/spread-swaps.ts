import { readJson, runStatement, type StoreClient } from '../../src/store/clickhouse/client.ts';
import { DERIVED_TABLES } from '../../src/store/clickhouse/derived/derived-tables.ts';

export interface SpreadSwaps {
  readonly slots: number;
  /** In a row that the swaps of one token lie in. */
  readonly slotsOfMint: number;
}

/**
 * Gives a store with the swaps of one block a copy of them in each of the slots behind it, of made-up tokens one after the
 * other, and the rollup that says when these were traded.
 */
export async function spreadSwaps(client: StoreClient, { slots, slotsOfMint }: SpreadSwaps): Promise<void> {
  const columns = (
    await readJson<{ name: string }>(
      client,
      `SELECT name FROM system.columns
       WHERE database = currentDatabase() AND table = 'swaps' AND default_kind = '' ORDER BY position`,
    )
  )
    .map(({ name }) => name)
    .join(', ');
  const mint = `toFixedString(reinterpretAsString(sipHash64(intDiv(number, ${slotsOfMint}))), 32)`;
  const values = columns.replace('mint,', `${mint},`).replace('slot,', 'toUInt32(slot + number),');
  await runStatement(
    client,
    `INSERT INTO swaps (${columns}) SELECT ${values} FROM swaps CROSS JOIN numbers(1, ${slots}) AS more`,
  );
  await runStatement(client, 'OPTIMIZE TABLE swaps FINAL');
  const { select } = DERIVED_TABLES.find(({ name }) => name === 'token_latest')!;
  await runStatement(client, `INSERT INTO token_latest ${select.replace('$rows', 'swaps')}`);
}
