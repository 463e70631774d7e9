import type { KeptMint } from '../hydration/equity-mints.ts';
import type { LastKnown } from '../kernel/last-known.ts';
import type { KeptClose } from '../network/closing-prices.ts';
import { readRows, type StoreClient } from '../store/clickhouse/client.ts';
import { EQUITY_MINTS, SHARE_CLOSES } from '../store/clickhouse/schema/background-tables.ts';
import type { RowOf, TableLayout } from '../store/clickhouse/schema/table-layout.ts';
import { appendRows } from '../store/clickhouse/write/append-rows.ts';

/** How amounts of a mint are shown, as its row has it. */
const SCALING = { none: 0, known: 1, unknown: 2 } as const;
const MICROS = 1_000_000;

const NEWEST_CLOSES = {
  name: 'newest_closes',
  columns: { ticker: 'string', newest: 'string', usd_micros: 'u64' },
} as const satisfies TableLayout;

/** Mints of tokenized shares in the store, as they were read last. */
export function keptMints(client: StoreClient): LastKnown<KeptMint> {
  return {
    async load() {
      const rows = await readRows(
        client,
        EQUITY_MINTS,
        `SELECT mint, read_ms, slot, supply, decimals, scaling, multiplier, next_multiplier, next_from
         FROM equity_mints FINAL`,
      );
      return rows.map(({ mint, read_ms, slot, supply, decimals, ...row }) => ({
        ...{ mint, supply, decimals, slot: Number(slot), readAt: Number(read_ms), scaling: scalingOf(row) },
      }));
    },
    keep: (mints) => appendRows(client, EQUITY_MINTS, mints.map(mintRow)),
  };
}

type ScalingRow = Pick<RowOf<typeof EQUITY_MINTS>, 'scaling' | 'multiplier' | 'next_multiplier' | 'next_from'>;

function scalingOf({ scaling, multiplier, next_multiplier, next_from }: ScalingRow): KeptMint['scaling'] {
  if (scaling === SCALING.none) return undefined;
  if (scaling !== SCALING.known) return 'unknown';
  return { multiplier, nextMultiplier: next_multiplier, nextFrom: next_from };
}

function mintRow({ mint, slot, supply, decimals, readAt, scaling }: KeptMint): RowOf<typeof EQUITY_MINTS> {
  const known = typeof scaling === 'object' ? scaling : { multiplier: 1, nextMultiplier: 1, nextFrom: 0n };
  const kind = scaling === undefined ? SCALING.none : scaling === 'unknown' ? SCALING.unknown : SCALING.known;
  return {
    ...{ mint, read_ms: BigInt(Math.round(readAt)), slot: BigInt(slot), supply, decimals, scaling: kind },
    ...{ multiplier: known.multiplier, next_multiplier: known.nextMultiplier, next_from: known.nextFrom },
  };
}

/** Newest closes in the store, of those that a source told. */
export function keptCloses(client: StoreClient, source: string): LastKnown<KeptClose> {
  return {
    async load() {
      const rows = await readRows(
        client,
        NEWEST_CLOSES,
        `SELECT ticker, max(date) AS newest, argMax(usd_micros, date) AS usd_micros
         FROM share_closes FINAL WHERE source = {source:String} GROUP BY ticker`,
        { source },
      );
      return rows.map(({ ticker, newest, usd_micros }) => ({
        ...{ ticker, date: newest, usd: Number(usd_micros) / MICROS },
      }));
    },
    keep: (closes) =>
      appendRows(
        client,
        SHARE_CLOSES,
        closes.map(({ ticker, date, usd }) => ({
          ...{ source, ticker, date, usd_micros: BigInt(Math.round(usd * MICROS)) },
        })),
      ),
  };
}
