// Detects blank views: a user looked at a loaded page on which nothing was painted. Relies on the browser's paint
// timing, so browsers without it, and pages that were not visible from the start, are never reported.

import type { EventOf } from '../contract/events.ts'
import { limits } from '../limits.ts'

/** A custom event added by the intake; its duration is how long the page was blank. */
export const blankViewEvent = 'telltale.blank-view'

interface Paints {
  browser: string
  /** Major version. */
  browserVersion: string
}

/** First version with paint timing, for browsers that had navigation timing earlier. */
const tellsPaintsSince: ReadonlyMap<string, number> = new Map([['Firefox', 84]])

/** Milliseconds without a paint since a loaded page began; undefined for any other view. */
export function blankFor(state: EventOf<'view_state'>, { browser, browserVersion }: Paints) {
  const { exit, vitals = {}, duration, actions } = state
  const { TTFB, FCP, LCP, hidden = Number.POSITIVE_INFINITY } = vitals
  // TTFB exists only for a loaded page, and only in browsers with navigation timing.
  const wasLoaded = TTFB !== undefined && Number(browserVersion) >= (tellsPaintsSince.get(browser) ?? 0)
  const wasSeen = FCP !== undefined || LCP !== undefined || actions > 0
  const span = Math.min(duration, hidden)
  const isBlank = exit !== undefined && wasLoaded && !wasSeen && span >= limits.blankViewSpan
  return isBlank ? span : undefined
}
