import { describe, expect, it } from 'vitest';
import type { Address } from '../chain/address.ts';
import { addressBytes } from '../chain/keys/address-table.ts';
import { METADATA_PROGRAM, TOKEN_PROGRAM } from '../chain/well-known.ts';
import { metadataAddress } from '../programs/metaplex/accounts.ts';
import { bondingCurveAddress } from '../programs/pump/addresses.ts';
import { PUMP_PROGRAM } from '../programs/pump/ids.ts';
import { PUMP_AMM_PROGRAM } from '../programs/pump-amm/ids.ts';
import { HYDRATED_TOKENS } from '../store/clickhouse/schema/background-tables.ts';
import { encodeRows } from '../store/clickhouse/schema/row-codec.ts';
import { hydratePools } from './pool-accounts.ts';
import { hydrateTokens, RETRY_AFTER_SECONDS } from './token-accounts.ts';

const signal = new AbortController().signal;

describe('accounts that only look like the right ones', () => {
  const mint = 'GsP9hnBL1kVHvVqwNNmqkVzfLmwNGfRRhZ4kvUoRqAqT' as Address;
  const plain = Buffer.alloc(82);
  plain[45] = 1;

  /** A node on which every account has an owner and data of its own making. */
  const nodeWith = (owners: Readonly<Record<string, Address>>, curve = Buffer.alloc(0)) => ({
    call: async (_method: string, params: readonly unknown[]) => ({
      context: { slot: 5 },
      value: (params[0] as Address[]).map((address) => {
        const owner = owners[address];
        const data = address === mint ? plain : curve;
        return owner === undefined ? null : { owner, data: [data.toString('base64'), 'base64'] };
      }),
    }),
  });

  it('count under the program alone that must own them', async () => {
    const [stranger] = await hydrateTokens(nodeWith({ [mint]: PUMP_PROGRAM }), [mint], 9, signal);
    expect(stranger).toMatchObject({ found: false, retry_at: 9 + RETRY_AFTER_SECONDS });
    const bytes = Buffer.alloc(166);
    bytes.write('17b7f83760d8ac60', 'hex');
    const curve = bondingCurveAddress(mint);
    const curveOf = async (owner: Address) =>
      (await hydrateTokens(nodeWith({ [mint]: TOKEN_PROGRAM, [curve]: owner }, bytes), [mint], 9, signal))[0];
    expect(await curveOf(PUMP_PROGRAM)).toMatchObject({ found: true, bonding_curve: curve, quote_mint: '' });
    expect(await curveOf(TOKEN_PROGRAM)).toMatchObject({ found: true, bonding_curve: '' });
  });

  it('can be written whatever they hold', async () => {
    const curve = bondingCurveAddress(mint);
    const bytes = Buffer.alloc(200, 0xff);
    bytes.write('17b7f83760d8ac60', 'hex');
    const node = nodeWith({ [mint]: TOKEN_PROGRAM, [curve]: PUMP_PROGRAM }, bytes);
    const rows = await hydrateTokens(node, [mint], 9, signal);
    expect(rows).toMatchObject([{ found: true, bonding_curve: curve, creator_fee_bps: 0 }]);
    expect(encodeRows<typeof HYDRATED_TOKENS>(HYDRATED_TOKENS, rows).rows).toBe(1);
  });

  it('name no mint but their own', async () => {
    const metadata = metadataAddress(mint);
    const naming = (of: Address) => {
      const key = addressBytes(of);
      const bytes = Buffer.concat([Buffer.of(4), Buffer.alloc(32), key, Buffer.of(1, 0, 0, 0, 65), Buffer.alloc(8)]);
      const node = nodeWith({ [mint]: TOKEN_PROGRAM, [metadata]: METADATA_PROGRAM }, bytes);
      return hydrateTokens(node, [mint], 9, signal);
    };
    expect((await naming(mint))[0]).toMatchObject({ named: true, name: 'A', symbol: '' });
    expect((await naming(metadata))[0]).toMatchObject({ found: true, named: false, name: '' });
  });

  it('are pools only of the AMM', async () => {
    const pool = bondingCurveAddress(mint);
    const bytes = Buffer.alloc(300);
    bytes.write('f19a6d0411b16dbc', 'hex');
    const foundAs = async (owner: Address) =>
      (await hydratePools(nodeWith({ [pool]: owner }, bytes), [pool], 9, signal))[0]!.found;
    expect([await foundAs(PUMP_AMM_PROGRAM), await foundAs(PUMP_PROGRAM)]).toEqual([true, false]);
  });

  it('leave the thread to others now and then, pools like tokens', async () => {
    const pools = new Array<Address>(20).fill(bondingCurveAddress(mint));
    let turns = 0;
    const count = () => {
      turns += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    await hydratePools(nodeWith({}), pools, 9, signal);
    clearImmediate(next);
    expect(turns).toBeGreaterThanOrEqual(5);
  });
});
