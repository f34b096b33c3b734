// Learns which position of an address holds ids that look like words: where more different segments arrive than a site has pages.
// Its memory is bounded; what it once found is a rule, and rules are kept by its caller.
import { idSegment, type RouteRule } from './route-rules.ts'

export interface RouteLearning {
  /** Different segments at one position that make a rule. */
  segments: number
  /** The same for the first segment of all, where sites have many pages of their own. */
  firstSegments: number
  /** Segments remembered of one environment. */
  remembered: number
}

export interface RouteLearner {
  /** Counts the segments of a route to which the rules were applied. Gives the rule that this one was still missing for. */
  observe(route: string): RouteRule | undefined
}

/** A segment seen in so large a share of the visits to its position is a page of its own, such as `/orders/new`. */
const shareOfPage = 0.05
const visitsOfPage = 10
const mostExceptions = 20

/** `isDecided` says of a prefix that it has a rule already, one that keeps segments apart too. */
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
