// How flags stand on each other. Circles, and chains too deep or too wide to follow on every evaluation, are found
// here, when a rule set is made; an evaluation then follows the others without counting.

import { limits } from '../limits.ts'

/** The keys of a flag's prerequisites; nothing for a flag that does not exist. */
export type PrerequisitesOf = (flag: string) => readonly string[] | undefined

interface Reach {
  depth: number
  evaluations: number
}

/** The flags whose prerequisites cannot be followed. */
export function findUnfollowed(flags: Iterable<string>, prerequisitesOf: PrerequisitesOf): Set<string> {
  const reaches = new Map<string, Reach | 'open'>()
  const unfollowed = new Set<string>()

  const reachOf = (flag: string): Reach => {
    const known = reaches.get(flag)
    const endless = { depth: Number.POSITIVE_INFINITY, evaluations: Number.POSITIVE_INFINITY }
    if (known !== undefined) return known === 'open' ? endless : known

    reaches.set(flag, 'open')
    const reach = { depth: 0, evaluations: 1 }
    for (const prerequisite of prerequisitesOf(flag) ?? []) {
      const below = reachOf(prerequisite)
      reach.depth = Math.max(reach.depth, below.depth + 1)
      reach.evaluations += below.evaluations
    }
    const followed =
      reach.depth <= limits.prerequisiteDepth && reach.evaluations <= limits.prerequisiteEvaluations
    if (!followed) unfollowed.add(flag)
    reaches.set(flag, reach)
    return reach
  }

  for (const flag of flags) if (prerequisitesOf(flag)?.length) reachOf(flag)
  return unfollowed
}

/** A circle that goes through `flag`, from it and back to it: `['a', 'b', 'a']`. */
export function findCircle(flag: string, prerequisitesOf: PrerequisitesOf): string[] | undefined {
  const seen = new Set<string>()
  const follow = (path: readonly string[]): string[] | undefined => {
    for (const next of prerequisitesOf(path.at(-1) ?? flag) ?? []) {
      if (next === flag) return [...path, next]
      if (seen.has(next)) continue
      seen.add(next)
      const circle = follow([...path, next])
      if (circle !== undefined) return circle
    }
    return undefined
  }
  return follow([flag])
}
