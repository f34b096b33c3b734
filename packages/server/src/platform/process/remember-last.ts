// Remembers so many values, and forgets the one that was used least recently. Takes room for what it holds: a cache that is
// told the most it may hold takes the room for that at the start, which is megabytes and a tenth of a second for all of them.

import { LRUCache } from 'lru-cache'

export function rememberLast<Value extends object | string | number>(
  most: number,
  more: { ttl?: number } = {},
): LRUCache<string, Value> {
  return new LRUCache<string, Value>({ maxSize: most, sizeCalculation: () => 1, ...more })
}
