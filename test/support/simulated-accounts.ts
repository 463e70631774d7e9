import { type Address, WSOL_MINT, ZERO_ADDRESS } from '../../src/chain/address.ts';
import { addressBytes } from '../../src/chain/keys/address-table.ts';
import { METADATA_PROGRAM, TOKEN_2022_PROGRAM } from '../../src/chain/well-known.ts';
import { PUMP_PROGRAM } from '../../src/programs/pump/ids.ts';
import { PUMP_AMM_PROGRAM } from '../../src/programs/pump-amm/ids.ts';
import type { Coin, Pool } from '../../src/simulator/market.ts';
import type { World } from '../../src/simulator/world.ts';
import type { RpcReply } from './rpc-server.ts';

interface AccountBytes {
  readonly owner: Address;
  readonly data: Buffer;
}

/**
 * Accounts of a simulated chain as a node holds them, byte for byte at the
 * documented offsets: nothing of what reads them is used to write them.
 */
export function simulatedAccount(world: World, address: Address): AccountBytes | undefined {
  for (const coin of world.market.coins) {
    if (coin.retired || coin.curve === undefined) continue;
    const { addresses, token, pool, sidePool } = coin;
    if (address === addresses.curve) return { owner: PUMP_PROGRAM, data: curveBytes(coin) };
    if (address === token.mint) return { owner: token.tokenProgram, data: mintBytes(world, coin) };
    if (address === addresses.metadata && token.tokenProgram !== TOKEN_2022_PROGRAM) {
      return { owner: METADATA_PROGRAM, data: metadataBytes(coin) };
    }
    for (const each of [pool, sidePool]) {
      if (each?.address === address) return { owner: PUMP_AMM_PROGRAM, data: poolBytes(coin, each) };
    }
  }
  const mint = world.bank.findMint(address);
  return mint && { owner: mint.tokenProgram, data: plainMint(mint.supply, mint.decimals, 82) };
}

/** Answers getMultipleAccounts out of a simulated chain. */
export function answerAccounts(world: World, slot: number, params: readonly unknown[]): RpcReply {
  const [addresses, options] = params as [Address[], { dataSlice: { offset: number; length: number } }];
  const { offset, length } = options.dataSlice;
  const value = addresses.map((address) => {
    const account = simulatedAccount(world, address);
    if (account === undefined) return null;
    const data = account.data.subarray(offset, offset + length).toString('base64');
    return { owner: account.owner, data: [data, 'base64'], lamports: 1, executable: false };
  });
  return { result: { context: { slot }, value } };
}

function curveBytes(coin: Coin): Buffer {
  const { reserves, complete, creatorFees, protocolFees } = coin.curve!;
  const data = Buffer.alloc(200);
  data.write('17b7f83760d8ac60', 'hex');
  data.writeBigUInt64LE(reserves.virtualToken, 8);
  data.writeBigUInt64LE(reserves.virtualQuote, 16);
  data.writeBigUInt64LE(reserves.realToken, 24);
  data.writeBigUInt64LE(1_000_000_000_000_000n, 40);
  data[48] = complete ? 1 : 0;
  data.set(addressBytes(coin.feeCreator), 49);
  data[81] = coin.mayhem ? 1 : 0;
  data.set(addressBytes(coin.quote?.mint ?? ZERO_ADDRESS), 83);
  data[124] = coin.holderReward ? 1 : 0;
  data.writeBigUInt64LE(creatorFees, 125);
  data.writeBigUInt64LE(protocolFees, 133);
  return data;
}

function poolBytes(coin: Coin, pool: Pool): Buffer {
  const data = Buffer.alloc(300);
  data.write('f19a6d0411b16dbc', 'hex');
  data.set(addressBytes(pool.canonical ? coin.addresses.poolAuthority : coin.dev.address), 11);
  data.set(addressBytes(pool.base.mint), 43);
  data.set(addressBytes(pool.quote.mint), 75);
  data.set(addressBytes(WSOL_MINT), 139);
  data.set(addressBytes(pool.coinCreator), 211);
  data.writeBigUInt64LE(pool.boost, 245);
  return data;
}

function plainMint(supply: bigint, decimals: number, length: number): Buffer {
  const data = Buffer.alloc(length);
  data.writeBigUInt64LE(supply, 36);
  data[44] = decimals;
  data[45] = 1;
  return data;
}

/** Newer coins carry their names in the mint, behind a pointer to it; older ones have them in an account of Metaplex. */
function mintBytes(world: World, coin: Coin): Buffer {
  const { supply, decimals } = world.bank.findMint(coin.token.mint)!;
  if (coin.token.tokenProgram !== TOKEN_2022_PROGRAM) return plainMint(supply, decimals, 82);
  const mint = plainMint(supply, decimals, 166);
  mint[165] = 1;
  const pointer = Buffer.concat([Buffer.alloc(32), addressBytes(coin.token.mint)]);
  const names = Buffer.concat([Buffer.alloc(32), addressBytes(coin.token.mint), ...texts(coin), Buffer.alloc(4)]);
  return Buffer.concat([mint, header(18, pointer.length), pointer, header(19, names.length), names]);
}

function metadataBytes(coin: Coin): Buffer {
  const keys = [Buffer.of(4), Buffer.alloc(32), addressBytes(coin.token.mint)];
  return Buffer.concat([...keys, ...texts(coin, [32, 10, 200]), Buffer.alloc(300)]);
}

function header(type: number, length: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt16LE(type, 0);
  bytes.writeUInt16LE(length, 2);
  return bytes;
}

/** Name, symbol and URI, filled up with zero bytes to the lengths given. */
function texts({ name, symbol, uri }: Coin, lengths: readonly number[] = []): Buffer[] {
  return [name, symbol, uri].map((text, place) => {
    const bytes = Buffer.from(text);
    const padded = Buffer.concat([bytes, Buffer.alloc(Math.max(0, (lengths[place] ?? 0) - bytes.length))]);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(padded.length);
    return Buffer.concat([length, padded]);
  });
}
