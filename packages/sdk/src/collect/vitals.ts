// Web vitals as Google defines them. Each is told once for a view, when it is final: what changes afterwards stays in the
// state of the view. Shifts and interactions are final when the view ends, or nobody sees it any more.

import { type MetricType, onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals'
import { selectorOf } from '../browser/describe-element.ts'
import { toInstant } from '../browser/time.ts'
import type { CleanAttributes } from '../clean.ts'
import type { Emit } from '../event.ts'
import { guarded } from '../guard.ts'
import type { View, Views } from './view.ts'

type Target = string | undefined
type Found = [metric: MetricType, at: number, target: Target]

/** Returns what tells those of a view that waited for its end. */
export function startVitals(emit: Emit, views: Views): (view: View) => void {
  const waiting = new WeakMap<View, Map<string, Found>>()
  const told = new WeakMap<View, Set<string>>()

  const tell = (view: View, [metric, at, target]: Found) => {
    const { name, value } = metric
    const names = told.get(view) ?? new Set()
    told.set(view, names)
    if (names.has(name)) return
    names.add(name)
    emit('vital', { name, value, target, attributes: partsOf(metric) }, { at, view })
  }
  const note = (metric: MetricType): [View, Found] => {
    const [view, at] = placeOf(metric, views)
    view.vitals[metric.name] = metric.value
    return [view, [metric, at, selectorOf(elementOf(metric))]]
  }
  const now = guarded((metric: MetricType) => tell(...note(metric)))
  const later = guarded((metric: MetricType) => {
    const [view, found] = note(metric)
    waiting.set(view, (waiting.get(view) ?? new Map()).set(metric.name, found))
  })
  const soft = { reportSoftNavs: true }
  // The element may be gone by the end.
  const all = { ...soft, reportAllChanges: true }
  onTTFB(now)
  onFCP(now)
  onLCP(now, soft)
  onCLS(later, all)
  onINP(later, all)

  return (view) => {
    for (const [metric, at, target] of waiting.get(view)?.values() ?? []) {
      // Shifts add up until the end.
      tell(view, [metric, metric.name === 'CLS' ? Date.now() : at, target])
    }
  }
}

/** The view that it happened in, and when. */
function placeOf({ entries, navigationType }: MetricType, views: Views): [View, number] {
  const entry = entries.at(-1)
  if (!entry && /^(soft|back-forward-c)/.test(navigationType)) return [views.current(), Date.now()]
  const { renderTime, startTime = 0 }: { renderTime?: number; startTime?: number } = Object(entry)
  const time = toInstant(renderTime || startTime)
  return [views.at(time), time]
}

function elementOf({ name, entries }: MetricType): unknown {
  if (name === 'LCP') return entries[0]?.element
  if (name === 'INP') return entries.find(({ target }) => target)?.target
  if (name !== 'CLS') return undefined
  const [largest] = [...entries].sort((one, other) => other.value - one.value)
  return largest?.sources.find(({ node }) => node)?.node
}

/** What the time of an interaction went to. */
function partsOf({ name, entries, value }: MetricType): CleanAttributes | undefined {
  const [event] = entries
  if (name !== 'INP' || !event) return undefined
  const { name: type, startTime, processingStart, processingEnd } = event as PerformanceEventTiming
  return {
    ...{ event: type, inputDelay: processingStart - startTime, processing: processingEnd - processingStart },
    presentation: Math.max(0, startTime + value - processingEnd),
  }
}
