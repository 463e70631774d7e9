import { internAddress } from '../chain/keys/address-table.ts';
import type { DataOf, FieldType, FixedPrimitive, FixedType, Layout } from './layout.ts';
import { fixedSize, layoutFields, sizeOf } from './layout.ts';
import type { LayoutCursor } from './layout-cursor.ts';
import { readText } from './layout-text.ts';

/**
 * Reads one value at the cursor, field after field while bytes remain, and
 * leaves the cursor behind the last whole field: `cursor.remaining` is then the
 * number of bytes that the layout does not explain. Gives undefined when the
 * bytes end before the first generation does.
 */
export type LayoutReader<T> = (cursor: LayoutCursor) => T | undefined;

/**
 * Compiles a reader out of a layout. The generated function is one straight
 * line of DataView reads at constant offsets into one object literal, several
 * times faster than walking the table for every value. Its source is made of
 * our own tables alone, never of input.
 */
export function compileReader<const L extends Layout>(layout: L): LayoutReader<DataOf<L>> {
  const build = new Function('address', 'text', 'copy', 'u128', 'i128', readerSource(layout));
  return build(internAddress, readText, copyBytes, readU128, readI128) as LayoutReader<DataOf<L>>;
}

/** The body of a function that makes the reader. Exported so that tests can show it. */
export function readerSource(layout: Layout): string {
  const fields = layoutFields(layout);
  const source = new ReaderSource();
  fields.forEach((field, index) => {
    source.field(`f${index}`, field.type, field.required);
  });
  return [
    'return function read(cursor) {',
    'const bytes = cursor.bytes, v = cursor.view, base = cursor.base, end = cursor.end;',
    'let o = cursor.offset, n = 0;',
    fields.length > 0 ? `let ${fields.map((_, index) => `f${index}`).join(', ')};` : '',
    'body: {',
    ...source.lines,
    `o += ${source.constant};`,
    '}',
    'cursor.offset = o;',
    `return { ${fields.map((field, index) => `${field.name}: f${index}`).join(', ')} };`,
    '};',
  ].join('\n');
}

/** Emits the reads of fields; `constant` is the distance from `o`, kept out of the generated arithmetic. */
class ReaderSource {
  readonly lines: string[] = [];
  constant = 0;

  field(target: string, type: FieldType, required: boolean): void {
    const size = fixedSize(type);
    const stop = required ? 'return undefined;' : `{ o += ${this.constant}; break body; }`;
    if (size !== undefined) {
      this.lines.push(`if (o + ${this.constant + size} > end) ${stop}`);
      this.lines.push(`${target} = ${readExpression(type as FixedType, this.constant)};`);
      this.constant += size;
      return;
    }
    if (typeof type === 'object' && 'option' in type) this.option(target, type.option, stop);
    else this.counted(target, type, stop);
    this.constant = 0;
  }

  private option(target: string, type: FixedType, stop: string): void {
    const at = this.constant;
    const size = sizeOf(type);
    this.lines.push(
      `if (o + ${at + 1} > end) ${stop}`,
      `if (bytes[o + ${at}] === 0) { ${target} = null; o += ${at + 1}; } else {`,
      `if (o + ${at + 1 + size} > end) ${stop}`,
      `${target} = ${readExpression(type, at + 1)}; o += ${at + 1 + size}; }`,
    );
  }

  private counted(target: string, type: FieldType, stop: string): void {
    const at = this.constant;
    const element = typeof type === 'object' && 'vec' in type ? type.vec : undefined;
    const size = element === undefined ? 1 : sizeOf(element);
    this.lines.push(
      `if (o + ${at + 4} > end) ${stop}`,
      `n = v.getUint32(base + o + ${at}, true);`,
      `if (n * ${size} > end - o - ${at + 4}) ${stop}`,
      `o += ${at + 4};`,
    );
    if (element === undefined) {
      this.lines.push(`${target} = ${type === 'string' ? 'text(bytes, o, n)' : 'copy(bytes, o, n)'}; o += n;`);
      return;
    }
    this.lines.push(
      `${target} = [];`,
      `for (; n > 0; n--) { ${target}.push(${readExpression(element, 0)}); o += ${size}; }`,
    );
  }
}

/** A JavaScript expression that reads a value of fixed length, `at` bytes behind `o`. */
function readExpression(type: FixedType, at: number): string {
  if (typeof type === 'string') return PRIMITIVE_EXPRESSIONS[type](at);
  if ('array' in type) {
    const size = sizeOf(type.array);
    return `[${Array.from({ length: type.length }, (_, i) => readExpression(type.array, at + i * size)).join(', ')}]`;
  }
  let next = at;
  const members = Object.entries(type.struct).map(([name, member]) => {
    const expression = `${name}: ${readExpression(member, next)}`;
    next += sizeOf(member);
    return expression;
  });
  return `{ ${members.join(', ')} }`;
}

const PRIMITIVE_EXPRESSIONS: Readonly<Record<FixedPrimitive, (at: number) => string>> = {
  bool: (at) => `bytes[o + ${at}] !== 0`,
  u8: (at) => `bytes[o + ${at}]`,
  u16: (at) => `v.getUint16(base + o + ${at}, true)`,
  u32: (at) => `v.getUint32(base + o + ${at}, true)`,
  u64: (at) => `v.getBigUint64(base + o + ${at}, true)`,
  i64: (at) => `v.getBigInt64(base + o + ${at}, true)`,
  u128: (at) => `u128(v, base + o + ${at})`,
  i128: (at) => `i128(v, base + o + ${at})`,
  address: (at) => `address(bytes, o + ${at})`,
};

/** A Buffer's own `slice` would share its memory with the block. */
function copyBytes(bytes: Uint8Array, offset: number, length: number): Uint8Array {
  return new Uint8Array(bytes.subarray(offset, offset + length));
}

function readU128(view: DataView, at: number): bigint {
  const high = view.getBigUint64(at + 8, true);
  const low = view.getBigUint64(at, true);
  return high === 0n ? low : (high << 64n) | low;
}

function readI128(view: DataView, at: number): bigint {
  const high = view.getBigInt64(at + 8, true);
  const low = view.getBigUint64(at, true);
  return high === 0n ? low : (high << 64n) | low;
}
