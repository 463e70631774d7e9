import { addressBytes } from '../chain/keys/address-table.ts';
import { ByteWriter } from './byte-writer.ts';
import type { CompiledInstruction, Message, V1Config } from './runtime/transaction.ts';

const V0_PREFIX = 0x80;
const V1_PREFIX = 0x81;

const writer = new ByteWriter(4_096);

/** The bytes that signers sign: legacy, v0, or v1 by SIMD-0385. */
export function encodeMessage(message: Message): Uint8Array {
  writer.clear();
  if (message.version === 1) writeV1(message);
  else writeLegacyOrV0(message);
  return writer.finish();
}

/** The transaction as it travels: signatures first, except in v1, where they come last. */
export function encodeTransaction(
  version: Message['version'],
  messageBytes: Uint8Array,
  signatures: readonly Uint8Array[],
): Uint8Array {
  writer.clear();
  if (version !== 1) writer.compactU16(signatures.length);
  else writer.bytes(messageBytes);
  for (const signature of signatures) writer.bytes(signature);
  if (version !== 1) writer.bytes(messageBytes);
  return writer.finish();
}

function writeLegacyOrV0(message: Message): void {
  if (message.version === 0) writer.u8(V0_PREFIX);
  writeHeader(message);
  writer.compactU16(message.staticKeys.length);
  for (const key of message.staticKeys) writer.bytes(addressBytes(key));
  writer.bytes(message.blockhash);
  writer.compactU16(message.instructions.length);
  for (const instruction of message.instructions) {
    writer.u8(instruction.programIndex);
    writer.compactU16(instruction.accounts.length).bytes(instruction.accounts);
    writer.compactU16(instruction.data.length).bytes(instruction.data);
  }
  if (message.version !== 0) return;
  writer.compactU16(message.lookups.length);
  for (const { table, writable, readonly } of message.lookups) {
    writer.bytes(addressBytes(table));
    writer.compactU16(writable.length).bytes(writable);
    writer.compactU16(readonly.length).bytes(readonly);
  }
}

function writeV1(message: Message): void {
  const { config, instructions, staticKeys } = message;
  writer.u8(V1_PREFIX);
  writeHeader(message);
  writer.u32(configMask(config));
  writer.bytes(message.blockhash);
  writer.u8(instructions.length).u8(staticKeys.length);
  for (const key of staticKeys) writer.bytes(addressBytes(key));
  if (config?.priorityFee !== undefined) writer.u64(config.priorityFee);
  if (config?.computeUnitLimit !== undefined) writer.u32(config.computeUnitLimit);
  if (config?.loadedAccountsDataSizeLimit !== undefined) writer.u32(config.loadedAccountsDataSizeLimit);
  if (config?.heapSize !== undefined) writer.u32(config.heapSize);
  for (const instruction of instructions) writeV1InstructionHeader(instruction);
  for (const instruction of instructions) writer.bytes(instruction.accounts).bytes(instruction.data);
}

function writeV1InstructionHeader({ programIndex, accounts, data }: CompiledInstruction): void {
  writer.u8(programIndex).u8(accounts.length).u16(data.length);
}

function writeHeader(message: Message): void {
  writer.u8(message.requiredSignatures).u8(message.readonlySigned).u8(message.readonlyUnsigned);
}

/** Bits 0 and 1 together are the priority fee; then one bit for each further value, in order. */
function configMask(config: V1Config | undefined): number {
  if (config === undefined) return 0;
  let mask = 0;
  if (config.priorityFee !== undefined) mask |= 0b0_0011;
  if (config.computeUnitLimit !== undefined) mask |= 0b0_0100;
  if (config.loadedAccountsDataSizeLimit !== undefined) mask |= 0b0_1000;
  if (config.heapSize !== undefined) mask |= 0b1_0000;
  return mask;
}
