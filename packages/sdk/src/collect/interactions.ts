// Interaction to Next Paint of a view: its longest interaction, ignoring one in fifty.

import { selectorOf } from '../browser/describe-element.ts'
import { ofToolbar } from '../browser/listen.ts'
import { observeEntries } from '../browser/observe.ts'
import { toInstant } from '../browser/time.ts'
import type { View } from '../event.ts'
import type { Views } from './view.ts'
import type { Find } from './vitals.ts'

const perOutlier = 50
const interactionsKept = 10

interface Interactions {
  longest: PerformanceEventTiming[]
  /** How many there had been when the view began. */
  earlier: number
}

export function startInteractions(find: Find, views: Views) {
  const ofViews = new WeakMap<View, Interactions>([[views.current(), { longest: [], earlier: 0 }]])

  const note = (event: PerformanceEventTiming) => {
    const { interactionId } = event
    if (!interactionId || ofToolbar.has(event.startTime)) return
    const view = views.at(toInstant(event.startTime))
    const interactions = ofViews.get(view) ?? { longest: [], earlier: countInteractions() - 1 }
    ofViews.set(view, interactions)
    const { longest, earlier } = interactions
    const known = longest.find((each) => each.interactionId === interactionId)
    if (known && known.duration >= event.duration) return
    interactions.longest = [...longest.filter((each) => each !== known), event]
      .sort((one, other) => other.duration - one.duration)
      .slice(0, interactionsKept)
    const outliers = Math.floor((countInteractions() - earlier) / perOutlier)
    const worst = interactions.longest[outliers] ?? interactions.longest.at(-1) ?? event
    const { name, startTime, duration: value, processingStart, processingEnd, target } = worst
    const inputDelay = processingStart - startTime
    const presentation = Math.max(0, startTime + value - processingEnd)
    const attributes = { event: name, inputDelay, processing: processingEnd - processingStart, presentation }
    find(view, 'INP', { value, at: toInstant(startTime), target: selectorOf(target), attributes })
  }
  return [observeEntries('event', note), observeEntries('first-input', note)]
}

function countInteractions(): number {
  return Number(Reflect.get(performance, 'interactionCount')) || 0
}
