import { jsonBody, timeText } from '../../books/json-text.ts';
import type { Address } from '../../chain/address.ts';
import { encodeSignature } from '../../chain/keys/base58.ts';
import type { Written } from '../../contract/written.ts';
import type { TransferRow } from '../../store/clickhouse/schema/tables.ts';
import type { FundingClusters } from './contract-shapes.ts';
import type { FundedBuyer, FunderCluster } from './funding-rules.ts';

/** Raw units as whole tokens. Digits beyond those of a number are lost, which is why the raw amount stands beside it. */
export function wholeTokens(amount: bigint, decimals: number): number {
  const digits = amount.toString().padStart(decimals + 1, '0');
  return Number(`${digits.slice(0, digits.length - decimals)}.${digits.slice(digits.length - decimals)}`);
}

/** A row of the lists of sends, by hand: it is written once and sent many times. */
export function transferRowJson(row: TransferRow): string {
  return (
    `{${row.time === 0 ? '' : `"time":"${timeText(row.time)}",`}"slot":${row.slot},"block_index":${row.block_index}` +
    `,"sig":"${encodeSignature(row.signature)}","ix_index":${row.ix_index},"mint":"${row.mint}"` +
    `,"from":"${row.sender}","to":"${row.receiver}","amount":"${row.amount}","decimals":${row.decimals}` +
    `,"amount_token":${wholeTokens(row.amount, row.decimals)},"ambiguous":${row.ambiguous}` +
    `${row.partial ? ',"partial":true' : ''}}`
  );
}

export function fundingClustersBody(
  buyers: readonly FundedBuyer[],
  clusters: readonly FunderCluster[],
  partial: boolean,
): Buffer {
  const clustered = new Set<Address>(clusters.flatMap(({ wallets }) => wallets));
  return jsonBody({
    early_buyers: buyers.length,
    clustered: clustered.size,
    unknown: buyers.filter(({ funder }) => funder === undefined).length,
    clusters: clusters.map(clusterRow),
    partial: partial || undefined,
  } satisfies Written<FundingClusters>);
}

function clusterRow({ funder, label, isDev, wallets }: FunderCluster): Written<FundingClusters['clusters'][number]> {
  return { funder, funder_label: label, count: wallets.length, is_dev: isDev, wallets };
}
