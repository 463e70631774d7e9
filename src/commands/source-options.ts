import type { Config } from '../config.ts';
import type { SourceOptions } from '../sources/create-source.ts';
import { CommandMisuse } from './command.ts';

const REPLAY = 'replay:';

/** The configured source as plain data. */
export function sourceOptions(config: Config): SourceOptions {
  const { source } = config;
  if (source.startsWith(REPLAY)) return { kind: 'replay', path: source.slice(REPLAY.length) };
  switch (source) {
    case 'simulator':
      return { kind: 'simulator', seed: config.simulatorSeed, load: 'desk', commitment: config.commitment };
    case 'rpc':
      return {
        kind: 'rpc',
        url: needed(config.solanaRpcUrl, 'SOLANA_RPC_URL'),
        maxLagSlots: config.rpcMaxLagSlots,
      };
    case 'yellowstone':
      return {
        kind: 'yellowstone',
        url: needed(config.yellowstoneUrl, 'YELLOWSTONE_URL'),
        token: config.yellowstoneToken,
        commitment: config.commitment,
        caFile: config.yellowstoneCaFile,
      };
    default:
      throw new CommandMisuse(`there is no source ${source}`);
  }
}

export function needed(value: string | undefined, name: string): string {
  if (value === undefined) throw new CommandMisuse(`${name} is needed for this`);
  return value;
}
