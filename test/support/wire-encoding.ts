import type { ModelTransaction } from './arbitrary-transaction.ts';

/** The model as signed bytes, to put into base64 and base58 answers. Address tables are made up: only counts matter. */
export function wireBytes(model: ModelTransaction): Uint8Array {
  return Uint8Array.from(model.version === 1 ? v1Bytes(model) : legacyOrV0Bytes(model));
}

function legacyOrV0Bytes(model: ModelTransaction): number[] {
  const bytes = [...compact(model.signatures.length), ...model.signatures.flatMap((each) => [...each])];
  if (model.version === 0) bytes.push(0x80);
  bytes.push(model.signatures.length, 0, 0);
  bytes.push(...compact(model.staticKeys.length), ...model.staticKeys.flatMap((each) => [...each]));
  bytes.push(...new Uint8Array(32), ...compact(model.calls.length));
  for (const { programIndex, accounts, data } of model.calls) {
    bytes.push(programIndex, ...compact(accounts.length), ...accounts, ...compact(data.length), ...data);
  }
  if (model.version !== 0) return bytes;
  const { loadedWritable, loadedReadonly } = model;
  if (loadedWritable.length + loadedReadonly.length === 0) return [...bytes, 0];
  const indexes = [loadedWritable.length, ...loadedWritable.keys(), loadedReadonly.length, ...loadedReadonly.keys()];
  return [...bytes, 1, ...new Uint8Array(32), ...indexes];
}

function v1Bytes({ signatures, staticKeys, calls, config }: ModelTransaction): number[] {
  const { priorityFee, computeUnitLimit } = config ?? {};
  const mask = (priorityFee === undefined ? 0 : 0b11) | (computeUnitLimit === undefined ? 0 : 0b100);
  return [
    ...[
      0x81,
      signatures.length,
      0,
      0,
      ...little(BigInt(mask), 4),
      ...new Uint8Array(32),
      calls.length,
      staticKeys.length,
    ],
    ...staticKeys.flatMap((each) => [...each]),
    ...(priorityFee === undefined ? [] : little(priorityFee, 8)),
    ...(computeUnitLimit === undefined ? [] : little(BigInt(computeUnitLimit), 4)),
    ...calls.flatMap((call) => [call.programIndex, call.accounts.length, ...little(BigInt(call.data.length), 2)]),
    ...calls.flatMap((call) => [...call.accounts, ...call.data]),
    ...signatures.flatMap((each) => [...each]),
  ];
}

function compact(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, value >> 7];
}

function little(value: bigint, width: number): number[] {
  return Array.from({ length: width }, (_, i) => Number((value >> BigInt(8 * i)) & 255n));
}
