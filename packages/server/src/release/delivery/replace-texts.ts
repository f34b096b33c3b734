// The texts of a rule set's flags and segments; unchanged texts are ignored.

import type { FlagText, SegmentText } from '@telltale/core/contract/rule-set-file'
import { emptyHash, type SetHash, toggle } from './set-hash.ts'

interface Replaced<Item> {
  texts: ReadonlyMap<string, string>
  changed: Item[]
  removed: string[]
  /** To be combined with the previous hash. */
  hash: SetHash
}

export function replaceTexts<Item extends FlagText | SegmentText>(
  kind: string,
  before: ReadonlyMap<string, string>,
  { items, removed: gone }: { items: readonly Item[]; removed: readonly string[] },
): Replaced<Item> {
  if (items.length + gone.length === 0) return { texts: before, changed: [], removed: [], hash: emptyHash }
  const texts = new Map(before)
  const changed: Item[] = []
  const removed = gone.filter((key) => texts.delete(key))
  let hash = emptyHash
  const drop = (key: string) => {
    const text = before.get(key)
    if (text !== undefined) hash = toggle(hash, `${kind} ${text}`)
  }
  for (const key of removed) drop(key)
  for (const item of items) {
    const text = JSON.stringify(item)
    if (before.get(item.key) === text) continue
    drop(item.key)
    hash = toggle(hash, `${kind} ${text}`)
    texts.set(item.key, text)
    changed.push(item)
  }
  return { texts, changed, removed, hash }
}
