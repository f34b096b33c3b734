import { limits } from '@telltale/core/limits'
import { storable } from '../../platform/engines/postgres/storable.ts'

/** Returns the name that a day of an environment counts under: the common one past a number of names. */
export type BoundApplication = (place: { environment: string; application: string; day: string }) => string

const otherName = '(other)'
const environmentsRemembered = 10_000

/** Names come from clients, also of strangers: every one is a row a day for two years. */
export function createBoundApplication(most: number = limits.usageApplications): BoundApplication {
  const known = new Map<string, Set<string>>()
  let today = ''

  return ({ environment, application, day }) => {
    const name = storable(application)
    if (name === '' || name === otherName) return name
    if (day !== today || known.size > environmentsRemembered) {
      known.clear()
      today = day
    }
    const names = known.get(environment) ?? new Set()
    known.set(environment, names)
    if (names.size >= most && !names.has(name)) return otherName
    names.add(name)
    return name
  }
}
