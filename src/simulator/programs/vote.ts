import type { Address } from '../../chain/address.ts';
import { VOTE_PROGRAM } from '../../chain/well-known.ts';
import { ByteWriter } from '../byte-writer.ts';
import type { Instruction } from '../runtime/execution.ts';
import { signRead, write } from '../runtime/instruction.ts';

const TOWER_SYNC = 14;

/** A validator's vote: its data has the size of a real one, and nobody reads it. */
export function vote(voteAccount: Address, authority: Address, slot: number): Instruction {
  const data = new ByteWriter(148).u32(TOWER_SYNC).u64(BigInt(slot));
  for (let lockout = 0; lockout < 31; lockout++) data.u16(lockout + 1);
  return { program: VOTE_PROGRAM, accounts: [write(voteAccount), signRead(authority)], data: data.finish() };
}
