import { LRUCache } from 'lru-cache';

/**
 * A map of so many entries: beyond them it lets go what was set or got longest ago. `peek` is no use of an entry.
 * Bounded by size, one each, as for a `max` the library makes all places at once: milliseconds for 50,000.
 */
export function createBoundedMap<K extends {}, V extends {}>(
  capacity: number,
  letGo?: (value: V, key: K) => void,
): LRUCache<K, V> {
  return new LRUCache({
    maxSize: capacity,
    sizeCalculation: () => 1,
    ...(letGo === undefined ? {} : { dispose: letGo }),
  });
}
