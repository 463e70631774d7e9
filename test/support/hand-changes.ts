import type { AccountChange, EverythingChanged } from '../../src/accounts/account-change.ts';
import type { AccountChanges } from '../../src/accounts/changes.ts';

/** Changes that a test tells. */
export interface HandChanges extends AccountChanges {
  ageMs: number;
  tell(change: AccountChange | EverythingChanged): void;
}

export function createHandChanges(): HandChanges {
  const listeners = new Set<(change: AccountChange | EverythingChanged) => void>();
  return {
    ageMs: 0,
    listen(heard) {
      listeners.add(heard);
      return () => listeners.delete(heard);
    },
    tell(change) {
      for (const heard of listeners) heard(change);
    },
  };
}
