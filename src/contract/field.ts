import type { TSchema } from 'typebox';
import type { ErrorCode } from './errors.ts';

/** One field of a JSON body: how it is documented, read, and refused. */
export interface Field<T> {
  readonly schema: TSchema;
  readonly required: boolean;
  /**
   * The value as the route wants it. `sent` is undefined when the field was left out,
   * which optional fields take as well.
   * @throws {ApiError} with one of {@link errors}; `name` is what its text calls the field.
   */
  readonly read: (sent: unknown, name: string) => T;
  readonly errors: readonly ErrorCode[];
}

export type Fields = Readonly<Record<string, Field<unknown>>>;
export type FieldValues<B extends Fields> = { readonly [K in keyof B]: B[K] extends Field<infer T> ? T : never };
