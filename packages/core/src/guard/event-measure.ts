// The measure of a metric over custom events: the name as in the roll-ups, or, with a filter, name and filter, which
// only the events themselves can answer.

import type { Measure } from './metric-method.ts'

export interface EventMeasure {
  /** As sent by the application; a single line. */
  event: string
  /** As written by `printFilter`; empty if every event counts. */
  filter: string
}

const prefix = 'custom:'
const between = '\n'

export function eventMeasure({ event, filter }: EventMeasure): Measure {
  return filter === '' ? prefix + event : prefix + event + between + filter
}

/** Undefined for any other measure. */
export function readEventMeasure(measure: Measure): EventMeasure | undefined {
  if (!measure.startsWith(prefix)) return undefined
  const [event = '', filter = ''] = measure.slice(prefix.length).split(between)
  return { event, filter }
}
