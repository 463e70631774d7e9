/** A value of a record: text, a double, an unsigned integer (bigint), a list or a map. */
export type MmdbValue = string | number | bigint | readonly MmdbValue[] | { readonly [name: string]: MmdbValue };

/** Addresses that begin with the same bits, and what is said of them. */
export interface MmdbNetwork {
  /** IPv4, such as `198.18.7.0`. */
  readonly address: string;
  /** How many bits they have in common. */
  readonly bits: number;
  readonly record: MmdbValue;
}

export interface MmdbContent {
  /** What the file says it is, such as `GeoLite2-City`. */
  readonly type: string;
  readonly description: string;
  /** None within another. */
  readonly networks: readonly MmdbNetwork[];
}

/** Types of the format's values. */
const STRING = 2;
const DOUBLE = 3;
const UINT16 = 5;
const UINT32 = 6;
const MAP = 7;
const UINT64 = 9;
const ARRAY = 11;
/** From this type on it stands in a byte of its own, less seven. */
const EXTENDED = 8;

const RECORD_BITS = 24;
const NODE_BYTES = (2 * RECORD_BITS) / 8;
/** Zeros between the tree and the data. */
const SEPARATOR = Buffer.alloc(16);
const METADATA_MARKER = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');

/** A node of the tree: for either bit another node, the place of a record in the data, or nothing. */
type Branch = Node | number | undefined;
interface Node {
  readonly branches: [Branch, Branch];
}

/** Bytes of a database in the MaxMind format, version 2, of IPv4 networks: the same for the same content. */
export function writeMmdb({ type, description, networks }: MmdbContent): Buffer {
  const root: Node = { branches: [undefined, undefined] };
  const data: Buffer[] = [];
  let offset = 0;
  for (const network of networks) {
    const record = encode(network.record);
    plant(root, network, offset);
    data.push(record);
    offset += record.length;
  }
  const nodes = nodesOf(root);
  const metadata = encode({ description: { en: description }, database_type: type, languages: ['en'] }, [
    ['binary_format_major_version', encodeUint(UINT16, 2n)],
    ['binary_format_minor_version', encodeUint(UINT16, 0n)],
    ['build_epoch', encodeUint(UINT64, 0n)],
    ['ip_version', encodeUint(UINT16, 4n)],
    ['node_count', encodeUint(UINT32, BigInt(nodes.length))],
    ['record_size', encodeUint(UINT16, BigInt(RECORD_BITS))],
  ]);
  return Buffer.concat([writeTree(nodes), SEPARATOR, ...data, METADATA_MARKER, metadata]);
}

function plant(root: Node, { address, bits }: MmdbNetwork, offset: number): void {
  const bytes = address.split('.').map(Number);
  const bitAt = (place: number) => ((bytes[place >> 3]! >> (7 - (place & 7))) & 1) as 0 | 1;
  let node = root;
  for (let place = 0; place < bits - 1; place += 1) {
    const known = node.branches[bitAt(place)];
    if (typeof known === 'number') throw new Error(`${address}/${bits} lies within another network`);
    const next = known ?? { branches: [undefined, undefined] };
    node.branches[bitAt(place)] = next;
    node = next;
  }
  if (node.branches[bitAt(bits - 1)] !== undefined) throw new Error(`${address}/${bits} has another within it`);
  node.branches[bitAt(bits - 1)] = offset;
}

/** All nodes, the root first. */
function nodesOf(root: Node): readonly Node[] {
  const nodes = [root];
  for (const { branches } of nodes) for (const branch of branches) if (typeof branch === 'object') nodes.push(branch);
  return nodes;
}

function writeTree(nodes: readonly Node[]): Buffer {
  const places = new Map(nodes.map((node, place) => [node, place]));
  const tree = Buffer.alloc(nodes.length * NODE_BYTES);
  for (const [place, { branches }] of nodes.entries()) {
    for (const [side, branch] of branches.entries()) {
      const value =
        branch === undefined
          ? nodes.length
          : typeof branch === 'number'
            ? nodes.length + SEPARATOR.length + branch
            : places.get(branch)!;
      tree.writeUIntBE(value, place * NODE_BYTES + (side * NODE_BYTES) / 2, NODE_BYTES / 2);
    }
  }
  return tree;
}

/** A value; `more` are fields of a map that are encoded already. */
function encode(value: MmdbValue, more: readonly (readonly [string, Buffer])[] = []): Buffer {
  if (typeof value === 'string') {
    const text = Buffer.from(value);
    return Buffer.concat([control(STRING, text.length), text]);
  }
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleBE(value);
    return Buffer.concat([control(DOUBLE, bytes.length), bytes]);
  }
  if (typeof value === 'bigint') return encodeUint(UINT32, value);
  if (Array.isArray(value)) return Buffer.concat([control(ARRAY, value.length), ...value.map((each) => encode(each))]);
  const fields = [...Object.entries(value).map(([name, each]) => [name, encode(each)] as const), ...more];
  return Buffer.concat([control(MAP, fields.length), ...fields.flatMap(([name, bytes]) => [encode(name), bytes])]);
}

/** Without leading zeros, so that 0 has no bytes. */
function encodeUint(type: number, value: bigint): Buffer {
  const digits = value === 0n ? '' : value.toString(16);
  const bytes = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
  return Buffer.concat([control(type, bytes.length), bytes]);
}

/** Sizes from here on stand in bytes of their own. */
const ONE_BYTE_SIZE = 29;
const TWO_BYTE_SIZE = 285;

function control(type: number, size: number): Buffer {
  if (size >= TWO_BYTE_SIZE) throw new RangeError(`a value of ${size} is too large`);
  const short = Math.min(size, ONE_BYTE_SIZE);
  const rest = size < ONE_BYTE_SIZE ? [] : [size - ONE_BYTE_SIZE];
  return Buffer.from(type < EXTENDED ? [(type << 5) | short, ...rest] : [short, type - 7, ...rest]);
}
