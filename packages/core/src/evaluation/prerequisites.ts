// How flags stand on each other. Circles, and chains too deep or too wide to follow on every evaluation, are found
// here, when a rule set is made; an evaluation then follows the others without counting.

import { limits } from '../limits.ts'

/** The keys of a flag's prerequisites; nothing for a flag that does not exist. */
export type PrerequisitesOf = (flag: string) => readonly string[] | undefined

/** What lies below a flag, itself included. */
interface Reach {
  depth: number
  evaluations: number
}

/** The flags whose prerequisites cannot be followed. Counted from below, so that no chain is too long to count. */
export function findUnfollowed(flags: Iterable<string>, prerequisitesOf: PrerequisitesOf): Set<string> {
  const { standing, above, ready } = sortOut(flags, prerequisitesOf)
  const reaches = new Map<string, Reach>()

  for (const flag of ready) {
    const reach = { depth: 0, evaluations: 1 }
    for (const prerequisite of prerequisitesOf(flag) ?? []) {
      const below = reaches.get(prerequisite)
      reach.depth = Math.max(reach.depth, (below?.depth ?? 0) + 1)
      reach.evaluations += below?.evaluations ?? 1
    }
    reaches.set(flag, reach)
    for (const next of above.get(flag) ?? []) {
      const left = (standing.get(next) ?? 0) - 1
      standing.set(next, left)
      if (left === 0) ready.push(next)
    }
  }
  // What was never ready stands in a circle, or above one.
  return new Set([...standing.keys()].filter((flag) => !isFollowed(reaches.get(flag))))
}

function isFollowed(reach: Reach | undefined): boolean {
  return (
    reach !== undefined &&
    reach.depth <= limits.prerequisiteDepth &&
    reach.evaluations <= limits.prerequisiteEvaluations
  )
}

/** How many flags each one still waits for, who waits for a flag, and who waits for nobody. */
function sortOut(flags: Iterable<string>, prerequisitesOf: PrerequisitesOf) {
  const standing = new Map<string, number>()
  const above = new Map<string, string[]>()
  const ready: string[] = []
  for (const flag of flags) {
    const below = (prerequisitesOf(flag) ?? []).filter((each) => prerequisitesOf(each) !== undefined)
    for (const prerequisite of below) {
      const waiting = above.get(prerequisite)
      if (waiting === undefined) above.set(prerequisite, [flag])
      else waiting.push(flag)
    }
    if (below.length === 0) ready.push(flag)
    else standing.set(flag, below.length)
  }
  return { standing, above, ready }
}

/** The shortest circle that goes through `flag`, from it and back to it: `['a', 'b', 'a']`. */
export function findCircle(flag: string, prerequisitesOf: PrerequisitesOf): string[] | undefined {
  const cameFrom = new Map<string, string>()
  const reached = [flag]
  for (const current of reached) {
    for (const next of prerequisitesOf(current) ?? []) {
      if (next === flag) return [...wayTo(current, cameFrom), flag]
      if (cameFrom.has(next)) continue
      cameFrom.set(next, current)
      reached.push(next)
    }
  }
  return undefined
}

function wayTo(flag: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const way: string[] = []
  for (let at: string | undefined = flag; at !== undefined; at = cameFrom.get(at)) way.push(at)
  return way.reverse()
}
