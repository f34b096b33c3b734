// Stores a batch, an attachment or a fact that may arrive twice only once. Its ID is reserved in the same tick in which
// it is found to be unknown: of twenty concurrent duplicates one is stored, and the others wait for its result.

import type { BatchIds } from './batch-ids.ts'
import { hashOfBatch, type IdHash } from './id-bytes.ts'

interface OnceItem {
  environmentId: string
  /** A UUID. */
  id: string
  /**
   * Creation time by the server's clock: older IDs are looked up on disk. Undefined when the client does not send
   * one.
   */
  madeAt: number | undefined
}

/**
 * Calls `store` with the items that were never stored, unless there are none, and returns them once they are stored.
 * When it fails, the call fails too, and calls that waited for the same items retry on their own.
 */
export type StoreOnce = <Item extends OnceItem>(
  items: readonly Item[],
  store: (fresh: readonly Item[]) => Promise<void>,
) => Promise<readonly Item[]>

interface OnceParts {
  batchIds: Pick<BatchIds, 'add' | 'isKnown' | 'isKnownOfOld'>
  now: () => number
}

interface Reserved<Item> {
  item: Item
  key: string
  hash: IdHash
}

export function createStoreOnce({ batchIds, now }: OnceParts): StoreOnce {
  const underWay = new Map<string, Promise<unknown>>()

  const storeNew = async <Item extends OnceItem>(
    reserved: readonly Reserved<Item>[],
    store: (fresh: readonly Item[]) => Promise<void>,
  ): Promise<readonly Item[]> => {
    const fresh: Reserved<Item>[] = []
    for (const each of reserved) {
      if (!(await batchIds.isKnownOfOld(each.hash, each.item.madeAt))) fresh.push(each)
    }
    const items = fresh.map(({ item }) => item)
    if (items.length === 0) return items
    const receivedAt = now()
    await store(items)
    for (const { hash } of fresh) batchIds.add({ id: hash, receivedAt })
    return items
  }

  return async (items, store) => {
    const all = new Map(
      items.map((item) => {
        const key = `${item.environmentId} ${item.id}`
        return [key, { item, key, hash: hashOfBatch(item.environmentId, item.id) }]
      }),
    )
    const others = () => [...all.keys()].flatMap((key) => underWay.get(key) ?? [])
    // No `await` between here and the reservation.
    for (let found = others(); found.length > 0; found = others()) await Promise.allSettled(found)
    const reserved = [...all.values()].filter(({ hash }) => !batchIds.isKnown(hash))
    const storing = storeNew(reserved, store)
    for (const { key } of reserved) underWay.set(key, storing)
    try {
      return await storing
    } finally {
      for (const { key } of reserved) underWay.delete(key)
    }
  }
}
