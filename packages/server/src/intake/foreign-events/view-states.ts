// The views of clients that do not report their state: it grows with what arrives about them. In memory, bounded: what
// arrives after a restart is stored, and no longer counted in the state of its view.

import type { EventOf, TelemetryEvent } from '@telltale/core/contract/events'
import type { RumContext } from '@telltale/core/telemetry/rum-event'
import { rememberLast } from '../../platform/process/remember-last.ts'
import { idOfText } from './id-of-text.ts'

interface View {
  /** Undefined until the page load or navigation itself arrives, which is last. */
  startedAt: number | undefined
  about: Pick<RumContext, 'url' | 'page'>
  lastAt: number
  vitals: Partial<Record<EventOf<'vital'>['name'], number>>
  actions: number
  resources: number
  errors: number
  longFrames: number
  rev: number
}

export interface ViewStates {
  /** The address of the page, once it is known. */
  pageOf(environmentId: string, view: string): Pick<RumContext, 'url' | 'page'>
  /** Returns what takes its count back, for an event that could not be stored and will be sent again. */
  hear(environmentId: string, view: string, heard: { event: TelemetryEvent; about: RumContext }): () => void
  /** The new state of a view that has begun. */
  stateOf(environmentId: string, view: string): TelemetryEvent | undefined
}

const remembered = 50_000
const revisionsPerSecond = 10
const second = 1_000

export function createViewStates(): ViewStates {
  const views = rememberLast<View>(remembered)
  const find = (environmentId: string, view: string) => views.get(`${environmentId} ${view}`)

  return {
    pageOf: (environmentId, view) => find(environmentId, view)?.about ?? {},
    hear(environmentId, id, { event, about: { url, page } }) {
      const view = find(environmentId, id) ?? newView()
      views.set(`${environmentId} ${id}`, view)
      if (event.kind === 'view') {
        view.startedAt = event.at
        view.about = { ...(url !== undefined && { url }), ...(page !== undefined && { page }) }
      }
      if (event.kind === 'vital') view.vitals[event.name] = event.value
      view.lastAt = Math.max(view.lastAt, event.at + ('duration' in event ? (event.duration ?? 0) : 0))
      const count = counts[event.kind]
      if (count === undefined) return () => undefined
      view[count] += 1
      return () => {
        view[count] -= 1
      }
    },
    stateOf(environmentId, id) {
      const view = find(environmentId, id)
      if (view?.startedAt === undefined) return undefined
      const { startedAt, lastAt, vitals, actions, resources, errors, longFrames } = view
      const duration = Math.max(0, lastAt - startedAt)
      // Grows with time as well, so that a later state wins after a restart too.
      view.rev = Math.max(view.rev + 1, Math.round((duration / second) * revisionsPerSecond))
      return {
        ...{ kind: 'view_state', id: idOfText(`${id} ${view.rev}`), at: startedAt + duration, context: 0 },
        ...{ rev: view.rev, startedAt, duration, active: false, vitals: { ...vitals } },
        ...{ actions, resources, errors, longFrames, frustrations: 0 },
      }
    },
  }
}

const counts: Partial<Record<TelemetryEvent['kind'], 'actions' | 'resources' | 'errors' | 'longFrames'>> = {
  action: 'actions',
  resource: 'resources',
  error: 'errors',
  long_frame: 'longFrames',
}

const newView = (): View => ({
  ...{ startedAt: undefined, about: {}, lastAt: 0, vitals: {}, rev: 0 },
  ...{ actions: 0, resources: 0, errors: 0, longFrames: 0 },
})
