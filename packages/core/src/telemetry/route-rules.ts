// Rules by which the segments under a prefix are one route: under `/orders` the route of `/orders/ada` is `/orders/:id`, except for
// the named segments. They are learned from the number of different segments at a position, or set by a person.

export interface RouteRule {
  /** The parent route, such as `/orders` or `/teams/:id`; empty for the first segment of all. */
  under: string
  /** False keeps the segments apart, however many they are. */
  isMerged: boolean
  /** Segments that stay what they are. */
  except: readonly string[]
}

/** By prefix; only rules that merge. */
export type MergedRoutes = ReadonlyMap<string, ReadonlySet<string>>

export const mergedRoutes = (rules: readonly RouteRule[]): MergedRoutes =>
  new Map(rules.filter(({ isMerged }) => isMerged).map(({ under, except }) => [under, new Set(except)]))

export const idSegment = ':id'

/** `route` begins with a slash. What stands behind a merged segment is told apart further down by rules of its own. */
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
