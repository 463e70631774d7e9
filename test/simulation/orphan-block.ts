/** Field numbers of `SubscribeUpdate` and its block, from the service's public geyser.proto. */
const UPDATE_BLOCK = 5;
const BLOCK = { slot: 1, blockhash: 2, transaction: 6, parentSlot: 7, parentBlockhash: 8 } as const;
const DELIMITED = 2;
const VARINT = 0;

export interface OrphanShape {
  readonly slot: number;
  /** Base58. */
  readonly blockhash: string;
  readonly parentSlot: number;
  /** Base58. */
  readonly parentBlockhash: string;
  /** True for transactions of the model that it has, by their place in the block. */
  readonly keeps: (place: number) => boolean;
}

/**
 * A block that might have been: the transactions of a real update, some of
 * them, in another slot. Their signatures are the same ones, as on a fork that
 * took from the same mempool.
 */
export function orphanUpdate(model: Uint8Array, shape: OrphanShape): Uint8Array {
  const pieces = fieldsOf(model).map((field) => {
    if (field.number !== UPDATE_BLOCK) return model.subarray(field.start, field.end);
    const body = orphanBody(model.subarray(field.valueStart, field.end), shape);
    return delimited(UPDATE_BLOCK, body);
  });
  return Buffer.concat(pieces);
}

function orphanBody(block: Uint8Array, { slot, blockhash, parentSlot, parentBlockhash, keeps }: OrphanShape): Buffer {
  const replaced: ReadonlySet<number> = new Set([BLOCK.slot, BLOCK.blockhash, BLOCK.parentSlot, BLOCK.parentBlockhash]);
  let place = -1;
  const kept = fieldsOf(block).filter(({ number }) => {
    if (number === BLOCK.transaction) place += 1;
    return number === BLOCK.transaction ? keeps(place) : !replaced.has(number);
  });
  return Buffer.concat([
    varintField(BLOCK.slot, slot),
    delimited(BLOCK.blockhash, Buffer.from(blockhash)),
    ...kept.map(({ start, end }) => block.subarray(start, end)),
    varintField(BLOCK.parentSlot, parentSlot),
    delimited(BLOCK.parentBlockhash, Buffer.from(parentBlockhash)),
  ]);
}

interface Field {
  readonly number: number;
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

/** The fields of a message, in order. */
function fieldsOf(bytes: Uint8Array): Field[] {
  const fields: Field[] = [];
  for (let at = 0; at < bytes.length; ) {
    const start = at;
    const [tag, afterTag] = readVarint(bytes, at);
    const type = tag & 7;
    const [value, afterValue] = readVarint(bytes, afterTag);
    if (type !== VARINT && type !== DELIMITED) throw new RangeError(`a field of wire type ${type}`);
    at = type === VARINT ? afterValue : afterValue + value;
    fields.push({ number: tag >> 3, start, valueStart: type === VARINT ? afterTag : afterValue, end: at });
  }
  return fields;
}

/** Value and the place behind it. */
function readVarint(bytes: Uint8Array, at: number): [value: number, next: number] {
  let value = 0;
  let next = at;
  for (let factor = 1; ; factor *= 128) {
    const byte = bytes[next];
    if (byte === undefined) throw new RangeError('a message that ends within a number');
    next += 1;
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return [value, next];
  }
}

function delimited(field: number, body: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([...varint(field * 8 + DELIMITED), ...varint(body.length)]), body]);
}

function varintField(field: number, value: number): Buffer {
  return Buffer.from([...varint(field * 8 + VARINT), ...varint(value)]);
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80);
  return [...bytes, rest];
}
