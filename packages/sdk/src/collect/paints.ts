// Time to First Byte, first and Largest Contentful Paint of the page while it is visible, and the largest paint of each
// soft navigation that the browser recognises.

import { selectorOf } from '../browser/describe-element.ts'
import { observeEntries } from '../browser/observe.ts'
import { toInstant } from '../browser/time.ts'
import type { Views } from './view.ts'
import type { Find } from './vitals.ts'

interface InteractionPaint extends PerformanceEntry {
  interactionId?: number
  largestContentfulPaint?: { renderTime?: number; element?: Element | null }
}

interface SoftNavigation extends PerformanceEntry {
  interactionId?: number
  getLargestInteractionContentfulPaint?: () => InteractionPaint | null
}

export function startPaints(find: Find, views: Views) {
  const first = views.current()
  const { vitals } = first
  if (document.hidden) vitals.hidden = 0
  let softId: number | undefined

  const paint = (name: 'FCP' | 'LCP', startTime: number, element?: unknown) => {
    if (Number(vitals.hidden) <= startTime) return
    find(first, name, {
      value: sinceActivation(startTime),
      at: toInstant(startTime),
      target: selectorOf(element),
    })
  }
  /** From the interaction on. */
  const paintSoftly = (given: InteractionPaint | null | undefined) => {
    const { renderTime, element } = given?.largestContentfulPaint ?? {}
    if (!given || !renderTime || given.interactionId !== softId) return
    const value = Math.max(0, renderTime - given.startTime)
    find(views.current(), 'LCP', { value, at: toInstant(renderTime), target: selectorOf(element) })
  }
  return [
    observeEntries('visibility-state', ({ name, startTime }) => {
      if (name === 'hidden') vitals.hidden ??= startTime
    }),
    observeEntries<PerformanceNavigationTiming>('navigation', ({ responseStart }) => {
      find(first, 'TTFB', { value: sinceActivation(responseStart), at: first.startedAt })
    }),
    observeEntries('paint', ({ name, startTime }) => {
      if (name === 'first-contentful-paint') paint('FCP', startTime)
    }),
    observeEntries<LargestContentfulPaint>('largest-contentful-paint', ({ startTime, element }) =>
      paint('LCP', startTime, element),
    ),
    observeEntries<SoftNavigation>('soft-navigation', (navigation) => {
      softId = navigation.interactionId
      paintSoftly(navigation.getLargestInteractionContentfulPaint?.())
    }),
    observeEntries('interaction-contentful-paint', paintSoftly),
  ]
}

/** A prerendered page starts when it is activated. */
function sinceActivation(time: number): number {
  const { activationStart = 0 } = Object(performance.getEntriesByType('navigation')[0])
  return Math.max(0, time - activationStart)
}
