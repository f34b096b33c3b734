// What a metric over events of the application is measured by: its name as roll-ups have it, or, where a filter narrows the
// events, that name and the filter, which nothing but the events themselves can answer.

import type { Measure } from './metric-method.ts'

export interface EventMeasure {
  /** As the application sends it; of one line. */
  event: string
  /** As `printFilter` writes it; empty where every event counts. */
  filter: string
}

const prefix = 'custom:'
const between = '\n'

export function eventMeasure({ event, filter }: EventMeasure): Measure {
  return filter === '' ? prefix + event : prefix + event + between + filter
}

/** Nothing for what is no event of the application. */
export function readEventMeasure(measure: Measure): EventMeasure | undefined {
  if (!measure.startsWith(prefix)) return undefined
  const [event = '', filter = ''] = measure.slice(prefix.length).split(between)
  return { event, filter }
}
