// A set of 64-bit hashes in at most 16 bytes each: a million IDs of an hour in memory.

import type { IdHash } from './id-bytes.ts'

export interface IdTable {
  add(id: IdHash): void
  has(id: IdHash): boolean
  size(): number
  /** Big-endian, sorted, eight bytes each. */
  sorted(): Buffer
}

const firstSlots = 1_024
const fill = 0.5
export const bytesPerId = 8

export function createIdTable(): IdTable {
  let slots = new Uint32Array(2 * firstSlots)
  let size = 0
  /** Both halves zero marks a free slot. */
  let hasZero = false

  const find = (table: Uint32Array, { high, low }: IdHash): number => {
    const last = table.length / 2 - 1
    for (let slot = low & last; ; slot = (slot + 1) & last) {
      const [there, below] = [table[2 * slot], table[2 * slot + 1]]
      if ((there === high && below === low) || (there === 0 && below === 0)) return 2 * slot
    }
  }
  const put = (table: Uint32Array, id: IdHash) => {
    const slot = find(table, id)
    const isNew = table[slot] === 0 && table[slot + 1] === 0
    table[slot] = id.high
    table[slot + 1] = id.low
    return isNew
  }
  const grow = () => {
    const larger = new Uint32Array(2 * slots.length)
    for (const id of all()) put(larger, id)
    slots = larger
  }
  function* all(): Generator<IdHash> {
    for (let slot = 0; slot < slots.length; slot += 2) {
      const [high = 0, low = 0] = [slots[slot], slots[slot + 1]]
      if (high !== 0 || low !== 0) yield { high, low }
    }
  }

  return {
    add(id) {
      if (id.high === 0 && id.low === 0) hasZero = true
      else if (put(slots, id)) size += 1
      if (size > (slots.length / 2) * fill) grow()
    },
    has(id) {
      if (id.high === 0 && id.low === 0) return hasZero
      const slot = find(slots, id)
      return slots[slot] === id.high && slots[slot + 1] === id.low
    },
    size: () => size + (hasZero ? 1 : 0),
    sorted() {
      const ids = new BigUint64Array(size + (hasZero ? 1 : 0))
      let index = 0
      if (hasZero) ids[index++] = 0n
      for (const { high, low } of all()) ids[index++] = (BigInt(high) << 32n) | BigInt(low)
      ids.sort()
      const bytes = Buffer.allocUnsafe(ids.length * bytesPerId)
      for (const [place, id] of ids.entries()) bytes.writeBigUInt64BE(id, place * bytesPerId)
      return bytes
    },
  }
}
