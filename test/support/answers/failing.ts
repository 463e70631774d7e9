/** A double with every question failing, those of its groups too. */
export function failing<T extends object>(double: T, fail: () => Promise<never> | never): T {
  const entries = Object.entries(double).map(([name, value]) => {
    if (name === 'indexedSlot' || Array.isArray(value)) return [name, value];
    return [name, typeof value === 'function' ? fail : failing(value, fail)];
  });
  return Object.fromEntries(entries);
}
