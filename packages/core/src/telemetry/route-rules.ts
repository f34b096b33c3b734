// Rules that merge the segments under a prefix into one route: under `/orders`, `/orders/ada` becomes `/orders/:id`,
// except for the listed segments. Learned from the number of distinct segments, or set by a member.

export interface RouteRule {
  /** The parent route, such as `/orders` or `/teams/:id`; empty for the first segment of a path. */
  under: string
  /** False keeps the segments apart, however many there are. */
  isMerged: boolean
  /** Segments that are not merged. */
  except: readonly string[]
}

/** Exceptions by prefix, for the rules that merge. */
export type MergedRoutes = ReadonlyMap<string, ReadonlySet<string>>

export const mergedRoutes = (rules: readonly RouteRule[]): MergedRoutes =>
  new Map(rules.filter(({ isMerged }) => isMerged).map(({ under, except }) => [under, new Set(except)]))

export const idSegment = ':id'

/** `route` begins with a slash. Segments after a merged one are matched by rules for the merged prefix. */
export function mergeRoute(route: string, rules: MergedRoutes): string {
  if (rules.size === 0 || !route.startsWith('/') || route === '/') return route
  let merged = ''
  for (const segment of route.slice(1).split('/')) {
    const except = rules.get(merged)
    const isId = except !== undefined && !except.has(segment) && segment !== '*'
    merged += `/${isId ? idSegment : segment}`
  }
  return merged
}
