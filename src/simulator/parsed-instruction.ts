import type { Address } from '../chain/address.ts';
import { encodeBase58 } from '../chain/keys/base58.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../chain/well-known.ts';
import { uiAmountString } from './encode-geyser.ts';
import type { CompiledInstruction } from './runtime/transaction.ts';

/** An instruction that `jsonParsed` knows, in its form. */
interface Parsed {
  readonly type: string;
  readonly info: object;
}

const TRANSFER = 2;
const TRANSFER_CHECKED = 12;
const BURN_CHECKED = 15;
const CLOSE_ACCOUNT = 9;

/** System transfers and the moves of the token programs appear parsed, everything else as accounts and bytes. */
export function parsedInstruction(
  { accounts, data, programIndex }: CompiledInstruction,
  stackHeight: number | null,
  keys: readonly Address[],
): object {
  const programId = keys[programIndex]!;
  const named = [...accounts].map((place) => keys[place]!);
  const parsed = parse(programId, named, Buffer.from(data));
  if (parsed === undefined) return { accounts: named, data: encodeBase58(data), programId, stackHeight };
  return { parsed, program: PROGRAM_NAMES.get(programId), programId, stackHeight };
}

const PROGRAM_NAMES: ReadonlyMap<Address, string> = new Map([
  [SYSTEM_PROGRAM, 'system'],
  [TOKEN_PROGRAM, 'spl-token'],
  [TOKEN_2022_PROGRAM, 'spl-token'],
]);

function parse(program: Address, accounts: readonly Address[], data: Buffer): Parsed | undefined {
  if (program === SYSTEM_PROGRAM) return parseSystem(accounts, data);
  return program === TOKEN_PROGRAM || program === TOKEN_2022_PROGRAM ? parseToken(accounts, data) : undefined;
}

function parseSystem([source, destination]: readonly Address[], data: Buffer): Parsed | undefined {
  if (data.length !== 12 || data.readUInt32LE(0) !== TRANSFER) return undefined;
  return { type: 'transfer', info: { destination, lamports: Number(data.readBigUInt64LE(4)), source } };
}

function parseToken(accounts: readonly Address[], data: Buffer): Parsed | undefined {
  const [first, second, third, fourth] = accounts;
  switch (data[0]) {
    case TRANSFER_CHECKED: {
      const info = { authority: fourth, destination: third, mint: second, source: first, tokenAmount: amount(data) };
      return { type: 'transferChecked', info };
    }
    case BURN_CHECKED:
      return {
        type: 'burnChecked',
        info: { account: first, authority: third, mint: second, tokenAmount: amount(data) },
      };
    case CLOSE_ACCOUNT:
      return { type: 'closeAccount', info: { account: first, destination: second, owner: third } };
    default:
      return undefined;
  }
}

/** A `…Checked` instruction's amount and decimals. */
function amount(data: Buffer): object {
  const raw = data.readBigUInt64LE(1);
  const decimals = data[9]!;
  return {
    amount: raw.toString(),
    decimals,
    uiAmount: Number(raw) / 10 ** decimals,
    uiAmountString: uiAmountString(raw, decimals),
  };
}
