/**
 * An answer as the code makes it, by the type of its schema: what the contract allows to be absent may be undefined,
 * which JSON leaves out.
 */
export type Written<T> = T extends readonly (infer Item)[]
  ? readonly Written<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Written<T[K]> | (object extends Pick<T, K> ? undefined : never) }
    : T;
