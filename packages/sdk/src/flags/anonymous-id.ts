// Who this browser is until the application says so: made once for each client key, seen by this site alone.

import { randomId } from '../browser/random.ts'
import { readStored, writeStored } from '../browser/store.ts'

export function anonymousIdOf(key: string): string {
  const name = `telltale:${key}:id`
  const known = readStored(name)
  if (known) return known
  const made = randomId()
  writeStored(name, made)
  return made
}
