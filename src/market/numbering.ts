/**
 * Small whole numbers for values, as long as something refers to them: a number that nobody needs any more goes to the
 * next value that comes, so that arrays by number stay as short as what is alive.
 */
export class Numbering<T extends string | number> {
  readonly #numbers = new Map<T, number>();
  readonly #values: (T | undefined)[] = [];
  #references: Uint32Array = new Uint32Array(1024);
  readonly #free: number[] = [];

  /** Values that are alive. */
  get size(): number {
    return this.#numbers.size;
  }

  /** One more than the largest number ever given. */
  get end(): number {
    return this.#values.length;
  }

  /** The value's number, with one reference more. */
  take(value: T): number {
    const known = this.#numbers.get(value);
    const number = known ?? this.#free.pop() ?? this.#values.length;
    if (known === undefined) {
      this.#numbers.set(value, number);
      this.#values[number] = value;
      if (number >= this.#references.length) this.#references = doubled(this.#references);
    }
    this.#references[number]! += 1;
    return number;
  }

  /** Adds a reference to a number that is in use. */
  retain(number: number): void {
    this.#references[number]! += 1;
  }

  /** Gives a reference up. True when it was the last one, and the number may be another value's from now on. */
  release(number: number): boolean {
    this.#references[number]! -= 1;
    if (this.#references[number] !== 0) return false;
    this.#numbers.delete(this.#values[number]!);
    this.#values[number] = undefined;
    this.#free.push(number);
    return true;
  }

  numberOf(value: T): number | undefined {
    return this.#numbers.get(value);
  }

  valueOf(number: number): T | undefined {
    return this.#values[number];
  }
}

export function doubled(array: Uint32Array): Uint32Array {
  const longer = new Uint32Array(2 * array.length);
  longer.set(array);
  return longer;
}
