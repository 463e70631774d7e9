import { createPublicKey, verify } from 'node:crypto';
import {
  appendTransactionMessageInstruction,
  type Blockhash,
  createKeyPairSignerFromPrivateKeyBytes,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  pipe,
  setTransactionMessageConfig,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { encodeAddress, encodeBase58 } from './keys/base58.ts';
import { MalformedWire } from './malformed-wire.ts';
import { MEMO_PROGRAM } from './well-known.ts';
import { decodeWireTransaction, type WireTransaction } from './wire-transaction.ts';

const BLOCKHASH = '4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZAMdL4VZHirAn' as Blockhash;
/** DER head of an ed25519 public key. */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

/** A memo of `bytes` signed by throw-away keys, in the given version. */
async function signedMemo(version: 'legacy' | 0 | 1, bytes: number, config?: object): Promise<Uint8Array> {
  const payer = await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(7));
  const second = await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(9));
  const memo = {
    programAddress: MEMO_PROGRAM as string as typeof payer.address,
    accounts: [{ address: second.address, role: 2 as const, signer: second }],
    data: new Uint8Array(bytes).fill(120),
  };
  const lifetime = { blockhash: BLOCKHASH, lastValidBlockHeight: 1n };
  const message = pipe(
    createTransactionMessage({ version: version as 1 }),
    (m) => setTransactionMessageFeePayerSigner(payer, m),
    (m) => setTransactionMessageLifetimeUsingBlockhash(lifetime, m),
    (m) => (config === undefined ? m : setTransactionMessageConfig(config, m)),
    (m) => appendTransactionMessageInstruction(memo, m),
  );
  const text = getBase64EncodedWireTransaction(await signTransactionMessageWithSigners(message));
  return new Uint8Array(Buffer.from(text, 'base64'));
}

/** Our reading, in the shape in which kit gives the same. */
function plain(wire: WireTransaction) {
  const slice = (at: number, length: number) => Buffer.from(wire.bytes.subarray(at, at + length));
  return {
    version: wire.version,
    header: {
      numSignerAccounts: wire.signerCount,
      numReadonlySignerAccounts: wire.readonlySignerCount,
      numReadonlyNonSignerAccounts: wire.readonlyUnsignedCount,
    },
    staticAccounts: wire.keyOffsets.map((at) => encodeAddress(wire.bytes, at)),
    lifetimeToken: encodeAddress(wire.bytes, wire.blockhashAt),
    instructions: wire.instructions.map((instruction) => ({
      programAddressIndex: instruction.programIndex,
      accountIndices: [...slice(instruction.accountsAt, instruction.accountsLength)],
      data: slice(instruction.dataAt, instruction.dataLength).toString('hex'),
    })),
    config: wire.config,
    signatures: wire.signatureOffsets.map((at) => slice(at, 64).toString('hex')),
    message: slice(wire.messageFrom, wire.messageTo - wire.messageFrom).toString('hex'),
  };
}

function hex(bytes: ArrayLike<number> | undefined): string {
  return Buffer.from(Uint8Array.from(bytes ?? [])).toString('hex');
}

function plainByKit(bytes: Uint8Array): object {
  const transaction = getTransactionDecoder().decode(bytes);
  const message = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes);
  const { version, header, staticAccounts, lifetimeToken } = message;
  const instructions =
    message.version === 1
      ? message.instructionPayloads.map((payload, i) => ({
          programAddressIndex: message.instructionHeaders[i]!.programAccountIndex,
          accountIndices: [...payload.instructionAccountIndices],
          data: hex(payload.instructionData),
        }))
      : message.instructions.map((instruction) => ({
          programAddressIndex: instruction.programAddressIndex,
          accountIndices: [...(instruction.accountIndices ?? [])],
          data: hex(instruction.data),
        }));
  const signatures = Object.values(transaction.signatures).map((signature) => hex(signature ?? undefined));
  return {
    version,
    header,
    staticAccounts,
    lifetimeToken,
    instructions,
    signatures,
    message: hex(transaction.messageBytes),
  };
}

const CONFIGS = {
  none: { config: {}, read: { priorityFee: undefined, computeUnitLimit: undefined } },
  fee: { config: { priorityFeeLamports: 1n << 40n }, read: { priorityFee: 1n << 40n, computeUnitLimit: undefined } },
  limit: { config: { computeUnitLimit: 20_000 }, read: { priorityFee: undefined, computeUnitLimit: 20_000 } },
  heap: { config: { heapSize: 65_536 }, read: { priorityFee: undefined, computeUnitLimit: undefined } },
  all: {
    config: {
      priorityFeeLamports: 5_000n,
      computeUnitLimit: 20_000,
      loadedAccountsDataSizeLimit: 65_536,
      heapSize: 65_536,
    },
    read: { priorityFee: 5_000n, computeUnitLimit: 20_000 },
  },
};

describe('decodeWireTransaction', () => {
  const samples = new Map<string, Uint8Array>();

  beforeAll(async () => {
    for (const version of ['legacy', 0] as const) samples.set(String(version), await signedMemo(version, 200));
    for (const [name, { config }] of Object.entries(CONFIGS))
      samples.set(`v1 ${name}`, await signedMemo(1, 12, config));
    samples.set('v1 long', await signedMemo(1, 3_000));
  });

  it('reads what kit reads of every version', () => {
    for (const [name, bytes] of samples) {
      const { config: _, ...ours } = plain(decodeWireTransaction(bytes));
      expect(ours, name).toEqual(plainByKit(bytes));
    }
  });

  it('reads the compute budget of a v1 message, and none elsewhere', () => {
    for (const [name, { read }] of Object.entries(CONFIGS)) {
      expect(decodeWireTransaction(samples.get(`v1 ${name}`)!).config, name).toEqual(read);
    }
    expect(decodeWireTransaction(samples.get('0')!).config).toBeUndefined();
  });

  it('finds the signed message and its signatures: they verify', () => {
    for (const [name, bytes] of samples) {
      const wire = decodeWireTransaction(bytes);
      const message = bytes.subarray(wire.messageFrom, wire.messageTo);
      expect(wire.signatureOffsets).toHaveLength(2);
      wire.signatureOffsets.forEach((at, i) => {
        const key = bytes.subarray(wire.keyOffsets[i]!, wire.keyOffsets[i]! + 32);
        const publicKey = createPublicKey({ key: Buffer.concat([SPKI, key]), format: 'der', type: 'spki' });
        expect(verify(null, message, publicKey, bytes.subarray(at, at + 64)), `${name} ${encodeBase58(key)}`).toBe(
          true,
        );
      });
    }
  });

  it('counts looked-up keys of a v0 message', () => {
    const table = [...new Uint8Array(32), 2, 5, 6, 1, 9];
    const message = [0x80, 1, 0, 0, 1, ...new Uint8Array(32), ...new Uint8Array(32), 0, 2, ...table, ...table];
    const wire = decodeWireTransaction(Uint8Array.from([1, ...new Uint8Array(64), ...message]));
    expect(wire).toMatchObject({ version: 0, lookupCount: 6, instructions: [] });
  });

  it('refuses a transaction that ends early or goes on', () => {
    for (const [name, bytes] of samples) {
      for (let length = 0; length < bytes.length; length++) {
        expect(() => decodeWireTransaction(bytes.subarray(0, length)), `${name} cut to ${length}`).toThrow(
          MalformedWire,
        );
      }
      expect(() => decodeWireTransaction(Uint8Array.from([...bytes, 0])), name).toThrow(MalformedWire);
    }
  });

  it('throws MalformedWire and nothing else for any bytes', () => {
    const read = (bytes: Uint8Array) => {
      try {
        plain(decodeWireTransaction(bytes));
      } catch (error) {
        if (!(error instanceof MalformedWire)) throw error;
      }
    };
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), read), { numRuns: 1_000 });
    for (const bytes of samples.values()) {
      fc.assert(
        fc.property(fc.nat({ max: 300 }), fc.nat({ max: 255 }), (at, value) => {
          const broken = bytes.slice();
          broken[at % broken.length] = value;
          read(broken);
        }),
      );
    }
  });

  it('refuses a version and a config that no transaction has', () => {
    const v0 = samples.get('0')!.slice();
    v0[1 + 2 * 64] = 0x82;
    expect(() => decodeWireTransaction(v0)).toThrow(MalformedWire);
    const v1 = samples.get('v1 fee')!.slice();
    v1[4] = 0b01;
    expect(() => decodeWireTransaction(v1)).toThrow(MalformedWire);
  });
});
