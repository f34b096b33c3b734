// Ids that sort by their time (UUIDv7).

import { randomNumbers } from './random.ts'

export function createUuid(at: number = Date.now()): string {
  const time = Math.floor(at).toString(16).padStart(12, '0')
  const chance = [...randomNumbers(3)].map((number) => number.toString(16).padStart(8, '0')).join('')
  // The highest two bits of the fourth group say which kind of id it is.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${chance.slice(0, 3)}-b${chance.slice(3, 6)}-${chance.slice(12)}`
}
