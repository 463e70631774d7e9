/**
 * Turns a number written in one base into another by columns: each digit adds
 * `digit * from^i`, written in the target base, to the columns, and carries are
 * settled afterwards. Unlike long division there is no chain of dependent
 * steps, which makes it several times faster on a modern core.
 *
 * Digits are little endian. Sums stay exact in doubles while
 * `from * to * DIGITS_BETWEEN_CARRIES < 2^53`.
 */
export class RadixTable {
  readonly #from: number;
  readonly #to: number;
  /** Columns that one more digit can add beyond its power: 58^5 fills almost two words of 16 bits. */
  readonly #headroom: number;
  /**
   * Powers of `from` in digits of the target base, four interleaved (`quad[4 * j + k]` is
   * digit j of power 4q + k), so that a column is loaded and stored once per four digits.
   */
  readonly #quads: Float64Array[] = [];
  #nextPower: Float64Array = Float64Array.of(1);

  constructor(from: number, to: number) {
    this.#from = from;
    this.#to = to;
    this.#headroom = Math.ceil(Math.log(from) / Math.log(to));
  }

  /**
   * Writes the number of `count` digits into `out` and returns how many columns
   * were used (the highest may be zero). `digits` needs room for three more
   * digits, which are overwritten; `out` needs room for all columns.
   */
  convert(digits: Float64Array, count: number, out: Float64Array): number {
    if (count === 0) return 0;
    const quads = (count + 3) >> 2;
    digits.fill(0, count, quads * 4);
    while (this.#quads.length < quads) this.#grow();
    const width = this.#quads[quads - 1]!.length / 4 + this.#headroom;
    out.fill(0, 0, width);
    for (let q = 0; q < quads; q++) {
      this.#addQuad(digits, q, out);
      if ((q + 1) % (DIGITS_BETWEEN_CARRIES / 4) === 0) settle(out, width, this.#to);
    }
    settle(out, width, this.#to);
    return width;
  }

  #addQuad(digits: Float64Array, q: number, out: Float64Array): void {
    const quad = this.#quads[q]!;
    const d0 = digits[q * 4]!;
    const d1 = digits[q * 4 + 1]!;
    const d2 = digits[q * 4 + 2]!;
    const d3 = digits[q * 4 + 3]!;
    for (let at = 0, j = 0; at < quad.length; at += 4, j++) {
      out[j] = out[j]! + d0 * quad[at]! + d1 * quad[at + 1]! + d2 * quad[at + 2]! + d3 * quad[at + 3]!;
    }
  }

  #grow(): void {
    const powers: Float64Array[] = [];
    for (let k = 0; k < 4; k++) {
      powers.push(this.#nextPower);
      this.#nextPower = this.#times(this.#nextPower);
    }
    const width = powers[3]!.length;
    const quad = new Float64Array(width * 4);
    powers.forEach((power, k) => {
      power.forEach((digit, j) => {
        quad[j * 4 + k] = digit;
      });
    });
    this.#quads.push(quad);
  }

  /** `power * from`, without leading zeros. */
  #times(power: Float64Array): Float64Array {
    const next = new Float64Array(power.length + this.#headroom);
    for (let j = 0; j < power.length; j++) next[j] = power[j]! * this.#from;
    settle(next, next.length, this.#to);
    let length = next.length;
    while (next[length - 1] === 0) length--;
    return next.slice(0, length);
  }
}

const DIGITS_BETWEEN_CARRIES = 64;

function settle(columns: Float64Array, width: number, base: number): void {
  for (let j = 0; j < width - 1; j++) {
    const column = columns[j]!;
    if (column < base) continue;
    const carry = Math.floor(column / base);
    columns[j] = column - carry * base;
    columns[j + 1] = columns[j + 1]! + carry;
  }
}
