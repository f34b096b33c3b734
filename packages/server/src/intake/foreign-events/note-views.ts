// Events of a page and the view that they happened in.

import type { JsonObject } from '@telltale/core/telemetry/json'
import type { RumEvent } from '@telltale/core/telemetry/rum-event'
import type { ViewStates } from './view-states.ts'

interface Noted {
  events: RumEvent[]
  /** Storing failed: they are counted when the client sends them again. */
  undo(): void
}

/** The same events, completed by what is known of their views, and the new states of these. */
export function noteViews(views: ViewStates, environmentId: string, given: readonly RumEvent[]): Noted {
  const touched = new Map<string, RumEvent>()
  const undoing: (() => void)[] = []
  for (const reported of given) {
    const { view } = reported.about
    if (view === undefined) continue
    undoing.push(views.hear(environmentId, view, reported))
    touched.set(view, reported)
  }
  const events = [...given]
  for (const { about } of events) {
    if (about.view !== undefined && about.url === undefined) {
      Object.assign(about, views.pageOf(environmentId, about.view))
    }
  }
  for (const [view, { about, flags: _flags, ...last }] of touched) {
    const state = views.stateOf(environmentId, view)
    if (state !== undefined) events.push({ ...last, flags: flagsIn(given, view), event: state, about })
  }
  return { events, undo: () => undoing.forEach((each) => void each()) }
}

const flagsIn = (events: readonly RumEvent[], view: string): JsonObject =>
  Object.assign({}, ...events.map(({ about, flags }) => (about.view === view ? flags : {})))
