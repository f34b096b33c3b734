// Limits the number of distinct names in low-cardinality columns: past a number per environment and hour, all further
// names are stored under a common one.

import { limits } from '@telltale/core/limits'

type NamedField = 'page' | 'endpoint' | 'name' | 'version' | 'service' | 'type' | 'flag' | 'scope' | 'host'

/** Returns the name, or the common one. */
export type BoundName = (environmentId: string, field: NamedField, name: string) => string

export const otherName = '(other)'
const hour = 3_600_000
const environmentsRemembered = 10_000

export function createBoundNames(now: () => number, most: number = limits.namesPerEnvironment): BoundName {
  const known = new Map<string, Set<string>>()
  let endsAt = 0

  return (environmentId, field, name) => {
    if (now() >= endsAt || known.size > environmentsRemembered) {
      known.clear()
      endsAt = now() + hour
    }
    const key = `${field} ${environmentId}`
    let names = known.get(key)
    if (names === undefined) {
      names = new Set()
      known.set(key, names)
    }
    if (names.has(name)) return name
    if (names.size >= most) return otherName
    names.add(name)
    return name
  }
}
