// Whether the state of a view says that somebody looked at a page on which nothing appeared. It is told from what the browser
// measured, so it is never said of browsers that do not tell their paints, nor of a page that was not looked at from its beginning.

import type { EventOf } from '../contract/events.ts'
import { limits } from '../limits.ts'

/** A custom event that the intake adds itself; its duration is how long nothing was to be seen. */
export const blankViewEvent = 'telltale.blank-view'

interface Paints {
  browser: string
  /** The part before the first dot. */
  browserVersion: string
}

/** The first version that tells paints, where one is older than what tells how a page was loaded. */
const tellsPaintsSince: ReadonlyMap<string, number> = new Map([['Firefox', 84]])

/** Milliseconds in which nothing was painted, from the beginning of a loaded page on; nothing for any other view. */
export function blankFor(state: EventOf<'view_state'>, { browser, browserVersion }: Paints) {
  const { exit, vitals = {}, duration, actions } = state
  const { TTFB, FCP, LCP, hidden = Number.POSITIVE_INFINITY } = vitals
  // Only of a loaded page, and only by browsers that can be asked, is there a first byte.
  const wasLoaded = TTFB !== undefined && Number(browserVersion) >= (tellsPaintsSince.get(browser) ?? 0)
  const wasSeen = FCP !== undefined || LCP !== undefined || actions > 0
  const span = Math.min(duration, hidden)
  const isBlank = exit !== undefined && wasLoaded && !wasSeen && span >= limits.blankViewSpan
  return isBlank ? span : undefined
}
