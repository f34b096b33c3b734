// Dependencies between flags. Cycles, and chains that are too deep or too wide to follow on every evaluation, are
// detected when a rule set is created, so an evaluation follows the others without counting.

import { limits } from '../limits.ts'

/** The keys of a flag's prerequisites; undefined when the flag does not exist. */
export type PrerequisitesOf = (flag: string) => readonly string[] | undefined

/** The size of a flag's prerequisite tree, including the flag. */
interface Reach {
  depth: number
  evaluations: number
}

/** The flags whose prerequisites cannot be followed. Counted bottom-up, so chains of any length can be counted. */
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
  // Flags that never became ready are part of a cycle or depend on one.
  return new Set([...standing.keys()].filter((flag) => !isFollowed(reaches.get(flag))))
}

function isFollowed(reach: Reach | undefined): boolean {
  return (
    reach !== undefined &&
    reach.depth <= limits.prerequisiteDepth &&
    reach.evaluations <= limits.prerequisiteEvaluations
  )
}

/** Per flag the number of unresolved prerequisites and its dependents, and the flags without any prerequisite. */
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

/** The shortest cycle through `flag`, starting and ending with it: `['a', 'b', 'a']`. */
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
