// Whatever may arrive twice is stored once: a batch, an attachment, a fact. Its id is reserved in the same turn in which it
// is found to be unknown, so of twenty that arrive together one is stored and the others wait for what becomes of it.

import type { BatchIds } from './batch-ids.ts'
import { hashOfBatch, type IdHash } from './id-bytes.ts'

export interface OnceItem {
  environmentId: string
  /** A UUID. */
  id: string
  /** When it was made, by our clock: older ones are looked for on the disk. Unknown when the client does not say. */
  madeAt: number | undefined
}

/**
 * Calls `store` with those that were never stored, unless there are none, and gives them once they are. When it fails, so
 * does the call, and whoever waited for the same ones tries by itself.
 */
export type StoreOnce = <Item extends OnceItem>(
  items: readonly Item[],
  store: (fresh: readonly Item[]) => Promise<void>,
) => Promise<readonly Item[]>

export interface OnceParts {
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
    // From here to the reservation nothing waits.
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
