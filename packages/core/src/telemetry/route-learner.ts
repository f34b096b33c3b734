// Learns which position of a path contains word-like ids: one with more distinct segments than a site has pages. Its
// memory is bounded; it returns what it learned as rules, which the caller stores.
import { idSegment, type RouteRule } from './route-rules.ts'

interface RouteLearning {
  /** Number of distinct segments at one position that creates a rule. */
  segments: number
  /** The same for the first segment of a path, where sites have many pages. */
  firstSegments: number
  /** Maximum number of segments remembered per environment. */
  remembered: number
}

export interface RouteLearner {
  /** Counts the segments of a route after applying the rules. Returns the rule that this route completed, if any. */
  observe(route: string): RouteRule | undefined
}

/** A segment with at least this share of the visits to its position is a page, such as `/orders/new`. */
const shareOfPage = 0.05
const visitsOfPage = 10
const mostExceptions = 20

/** `isDecided`: whether a prefix already has a rule, including rules that keep segments apart. */
export function createRouteLearner(
  isDecided: (under: string) => boolean,
  { segments, firstSegments, remembered }: RouteLearning,
): RouteLearner {
  const positions = new Map<string, Map<string, number>>()
  let size = 0

  const count = (under: string, segment: string): Map<string, number> | undefined => {
    let visits = positions.get(under)
    if (visits === undefined) {
      if (size >= remembered) return undefined
      visits = new Map()
      positions.set(under, visits)
    }
    const seen = visits.get(segment)
    if (seen === undefined) {
      if (size >= remembered) return undefined
      size += 1
    }
    visits.set(segment, (seen ?? 0) + 1)
    return visits
  }

  return {
    observe(route) {
      let under = ''
      for (const segment of route.slice(1).split('/')) {
        if (segment === '' || segment === '*') break
        if (segment !== idSegment && !isDecided(under)) {
          const visits = count(under, segment)
          if (visits !== undefined && visits.size >= (under === '' ? firstSegments : segments)) {
            size -= visits.size
            positions.delete(under)
            return { under, isMerged: true, except: pagesAmong(visits) }
          }
        }
        under += `/${segment}`
      }
      return undefined
    },
  }
}

function pagesAmong(visits: ReadonlyMap<string, number>): string[] {
  const all = [...visits.values()].reduce((sum, seen) => sum + seen, 0)
  return [...visits]
    .filter(([, seen]) => seen >= visitsOfPage && seen >= all * shareOfPage)
    .sort(([, one], [, other]) => other - one)
    .slice(0, mostExceptions)
    .map(([segment]) => segment)
}
