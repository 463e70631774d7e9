import { Type } from 'typebox';
import { readChain } from '../chain/clusters.ts';
import { isUrl, isWhole, Url, variable } from './variable.ts';

/** Where blocks come from, and which of what they hold is kept. */
export const SOURCE_SETTINGS = {
  source: variable({
    env: 'MINTSCOPE_SOURCE',
    schema: Type.String({ pattern: '^(simulator|rpc|yellowstone|replay:.+)$' }),
    help: 'Where blocks come from: simulator, replay:<file or folder>, rpc or yellowstone.',
    example: 'simulator',
    default: 'simulator',
  }),
  chain: variable({
    env: 'MINTSCOPE_CHAIN',
    schema: Type.String({ minLength: 1 }),
    accepts: (text) => readChain(text) !== undefined,
    expects: 'must be mainnet, devnet, testnet, simulator, or a genesis hash in base58',
    help: 'Whose blocks a Yellowstone stream alone, or a replay, brings: mainnet, devnet, testnet, simulator or a genesis hash. With SOLANA_RPC_URL the node of a live source is asked instead. A store holds one chain.',
    example: 'mainnet',
    default: 'mainnet',
  }),
  commitment: variable({
    env: 'MINTSCOPE_COMMITMENT',
    schema: Type.Union([Type.Literal('confirmed'), Type.Literal('processed')]),
    help: 'How sure a block must be before it is shown: confirmed, or processed, which may be taken back. Only confirmed ones are stored.',
    example: 'confirmed',
    default: 'confirmed',
  }),
  solanaRpcUrl: variable({
    env: 'SOLANA_RPC_URL',
    schema: Url('https?'),
    accepts: isUrl,
    help: 'JSON-RPC endpoint of your Solana node. Needed by the source rpc and by backfill; fills holes, and tells of tokens older than the data.',
    example: 'http://127.0.0.1:8899',
  }),
  rpcMaxLagSlots: variable({
    env: 'SOLANA_RPC_MAX_LAG_SLOTS',
    schema: Type.Integer({ minimum: 8, maximum: 1_000_000 }),
    accepts: isWhole,
    help: 'Slots the source rpc may fall behind before it passes some over and goes on at the head. Unset keeps all.',
    example: '150',
  }),
  yellowstoneUrl: variable({
    env: 'YELLOWSTONE_URL',
    schema: Url('https?'),
    accepts: isUrl,
    help: 'Yellowstone gRPC endpoint of your node; https for TLS. Needed by the source yellowstone.',
    example: 'http://127.0.0.1:10000',
  }),
  yellowstoneToken: variable({
    env: 'YELLOWSTONE_TOKEN',
    schema: Type.String({ minLength: 1 }),
    help: 'Sent as x-token to the Yellowstone endpoint.',
    example: '',
  }),
  yellowstoneCaFile: variable({
    env: 'YELLOWSTONE_CA_FILE',
    schema: Type.String({ minLength: 1 }),
    help: 'PEM file of the authority that signed the certificate of the Yellowstone endpoint, if it is not a public one.',
    example: '/etc/mintscope/yellowstone-ca.pem',
  }),
  notableFundingLamports: variable({
    env: 'MINTSCOPE_NOTABLE_FUNDING_LAMPORTS',
    schema: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    accepts: isWhole,
    help: 'Transfers to a wallet that exists are kept from so many lamports on. A changed value holds for blocks read from then on.',
    example: '100000000',
    default: '100000000',
  }),
  simulatorSeed: variable({
    env: 'MINTSCOPE_SIMULATOR_SEED',
    schema: Type.Integer({ minimum: 0, maximum: 4_294_967_295 }),
    accepts: isWhole,
    help: 'Seed of the simulated chain: the same seed makes the same blocks.',
    example: '1',
    default: '1',
  }),
} as const;
