// The probability that a session is recorded and profiled, from the orders it matches. Only facts from before and
// during the recording count, never an outcome. So the number of sessions that a recorded one represents is known.

/** Which sessions an order is about. Members that are missing match every session. */
export interface OrderTarget {
  flag?: string | undefined
  variation?: string | undefined
  /** The route of a page that the session visited: `/cart/:id`. */
  page?: string | undefined
  version?: string | undefined
  device?: string | undefined
}

/** Percent of sessions. */
export interface RecordingRates {
  replay: number
  profile: number
}

export type RecordingOrder = OrderTarget & RecordingRates

/** What is known of a session at a moment. */
export interface SessionSeen {
  reads?: readonly { flag: string; variation: string }[] | undefined
  page?: string | undefined
  /** Where the application does not name its pages. */
  path?: string | undefined
  version?: string | undefined
  device?: string | undefined
}

/**
 * The rates that apply to a session from this moment on: the highest of those before and of all orders it matches.
 */
export function ratesOf(
  orders: readonly RecordingOrder[],
  before: RecordingRates,
  seen: SessionSeen,
): RecordingRates {
  let { replay, profile } = before
  for (const order of orders) {
    if (!isMatch(order, seen)) continue
    replay = Math.max(replay, order.replay)
    profile = Math.max(profile, order.profile)
  }
  return { replay, profile }
}

function isMatch({ flag, variation, page, version, device }: OrderTarget, seen: SessionSeen): boolean {
  return (
    (!flag || !!seen.reads?.some((read) => read.flag === flag && read.variation === variation)) &&
    (!page || page === seen.page || (!seen.page && isOnRoute(page, seen.path ?? ''))) &&
    (!version || version === seen.version) &&
    (!device || device === seen.device)
  )
}

/** `/cart/:id` is the route of `/cart/17`. */
function isOnRoute(route: string, path: string): boolean {
  const [parts, found] = [route.split('/'), path.split('/')]
  return (
    found.length === parts.length &&
    parts.every((part, at) => part === found[at] || (part.startsWith(':') && !!found[at]))
  )
}
