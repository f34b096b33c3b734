// An LRU cache that grows with its content: with a fixed maximum size, `lru-cache` allocates everything at the start,
// which costs megabytes and a tenth of a second for all caches together.

import { LRUCache } from 'lru-cache'

export function rememberLast<Value extends object | string | number>(
  most: number,
  more: { ttl?: number } = {},
): LRUCache<string, Value> {
  return new LRUCache<string, Value>({ maxSize: most, sizeCalculation: () => 1, ...more })
}
