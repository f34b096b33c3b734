// Identifies the browser until the application sets a user: generated once per client key, visible to this site only.

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
