// The overrides of one flag: up to 200 000 targeting keys. Immutable: a change creates a new table that shares
// all buckets except one, so a change costs the same for any number of overrides.

import { emptyHash, type SetHash, toggle } from './set-hash.ts'

type Bucket = ReadonlyMap<string, string>

export interface OverrideTable {
  readonly size: number
  readonly buckets: readonly Bucket[]
  /** Of every targeting key with its variation. */
  readonly hash: SetHash
}

/** Maximum average size. */
const bucketSize = 64

export const noOverrides: OverrideTable = { size: 0, buckets: [new Map()], hash: emptyHash }

export function findOverride({ buckets }: OverrideTable, targetingKey: string): string | undefined {
  return buckets[bucketOf(targetingKey, buckets.length)]?.get(targetingKey)
}

/** Sets the variation of a targeting key, or removes it. */
export function withOverride(
  table: OverrideTable,
  targetingKey: string,
  variation: string | undefined,
): OverrideTable {
  const index = bucketOf(targetingKey, table.buckets.length)
  const bucket = new Map(table.buckets[index])
  const before = bucket.get(targetingKey)
  if (before === variation) return table

  if (variation === undefined) bucket.delete(targetingKey)
  else bucket.set(targetingKey, variation)
  const buckets = [...table.buckets]
  buckets[index] = bucket
  const size = table.size + (variation === undefined ? 0 : 1) - (before === undefined ? 0 : 1)
  if (size > buckets.length * bucketSize) splitBucket(buckets)

  const left = before === undefined ? table.hash : toggle(table.hash, textOf(targetingKey, before))
  const hash = variation === undefined ? left : toggle(left, textOf(targetingKey, variation))
  return { size, buckets, hash }
}

/** Builds a large table at once. Awaits `yieldIfDue` regularly. */
export async function fillTable(
  overrides: ReadonlyMap<string, string>,
  yieldIfDue: () => Promise<void> | undefined,
): Promise<OverrideTable> {
  const count = Math.max(1, Math.ceil(overrides.size / bucketSize))
  const buckets = Array.from({ length: count }, () => new Map<string, string>())
  let hash = emptyHash
  for (const [targetingKey, variation] of overrides) {
    buckets[bucketOf(targetingKey, count)]?.set(targetingKey, variation)
    hash = toggle(hash, textOf(targetingKey, variation))
    const pause = yieldIfDue()
    if (pause !== undefined) await pause
  }
  return { size: overrides.size, buckets, hash }
}

/** Adds one bucket, filled from one other; the rest stays unchanged. */
function splitBucket(buckets: Bucket[]): void {
  const added = buckets.length
  const source = added - topOf(added)
  const stay = new Map<string, string>()
  const go = new Map<string, string>()
  for (const [targetingKey, variation] of buckets[source] ?? []) {
    const target = bucketOf(targetingKey, added + 1) === added ? go : stay
    target.set(targetingKey, variation)
  }
  buckets[source] = stay
  buckets.push(go)
}

/** The largest power of two up to `count`. */
function topOf(count: number): number {
  return 2 ** (31 - Math.clz32(count))
}

/** Linear hashing: buckets that were already split use one more bit. */
function bucketOf(targetingKey: string, count: number): number {
  const top = topOf(count)
  const hashed = spread(targetingKey)
  const far = hashed & (2 * top - 1)
  return far < count ? far : hashed & (top - 1)
}

/** FNV-1a. */
function spread(text: string): number {
  let hashed = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    hashed = Math.imul(hashed ^ text.charCodeAt(index), 0x01000193)
  }
  return (hashed ^ (hashed >>> 15)) >>> 0
}

function textOf(targetingKey: string, variation: string): string {
  return `${targetingKey}\n${variation}`
}

/** The hash of a flag's overrides, distinct from that of other flags. */
export function hashOf(flag: string, { size, hash }: OverrideTable): SetHash {
  return size === 0
    ? emptyHash
    : toggle(emptyHash, `overrides ${flag}\n${Buffer.from(hash).toString('base64')}`)
}
