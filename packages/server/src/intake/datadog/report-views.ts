// What is reported of views: the state, with every change; the start, once; and the vitals, when they seem final, and
// again with a higher revision when they change, because a hidden page may be shown again. The client does not report
// that a page was closed: its last views end when it sends a beacon on leaving, when its tab shows another one, or
// after a long time without events.

import type { DropReason } from '@telltale/core/contract/events'
import { limits } from '@telltale/core/limits'
import type { Origin } from '@telltale/core/telemetry/context-row'
import { readViewFacts, type ViewFact, type ViewFacts } from '@telltale/core/telemetry/datadog/view-facts'
import type { RumEvent } from '@telltale/core/telemetry/rum-event'
import type { KnownEnvironment } from '../../organisation/keys/known-keys.ts'
import { idOfText } from '../foreign-events/id-of-text.ts'
import type { GivenView } from './read-batch.ts'
import type { DatadogParts } from './request.ts'
import { foldedView, type OpenView } from './views.ts'

interface ReportedViews {
  events: RumEvent[]
  dropped: { reason: DropReason; kind: 'view_state' }[]
  /** None of it was stored; it will be reported again. */
  undo(): void
}

interface Around {
  environment: KnownEnvironment
  origin: Origin
  isBeacon: boolean
}

export interface ViewReporter {
  take(given: readonly GivenView[], around: Around): ReportedViews
  /** Views without events for long, by environment. */
  takeSilent(): { view: OpenView; reports: ReportedViews }[]
}

/** With the current state of each. */
type Touched = Map<OpenView, ViewFacts | undefined>

function factsOf(view: OpenView): ViewFacts | undefined {
  const folded = foldedView(view)
  return folded && readViewFacts(folded.raw, folded.version, idOfText)
}

export function createViewReporter({ views, intake }: Pick<DatadogParts, 'views' | 'intake'>): ViewReporter {
  /** What to report of the view now. */
  const report = (view: OpenView, facts: ViewFacts | undefined, undone: (() => void)[]): RumEvent[] => {
    if (facts === undefined) return []
    const ready: ViewFact[] = view.isOver ? [...facts.certain, ...facts.open] : facts.certain
    const fresh = ready.flatMap(({ name, report: fact, value }): RumEvent[] => {
      const isKnown = view.reported.has(name)
      const before = view.reported.get(name)
      if (isKnown && (value === undefined || value === before)) return []
      view.reported.set(name, value)
      undone.push(() => (isKnown ? view.reported.set(name, before) : view.reported.delete(name)))
      return [isKnown ? revised(fact, view.viewId, facts.version) : fact]
    })
    if (!view.isUnreported) return fresh
    view.isUnreported = false
    undone.push(() => {
      view.isUnreported = true
    })
    return [endedOnce(facts.state, view, undone), ...fresh]
  }

  const reportOf = (touched: Touched, dropped: ReportedViews['dropped']): ReportedViews => {
    const undone: (() => void)[] = []
    const events = [...touched].flatMap(([view, facts]) => report(view, facts, undone))
    return {
      events,
      dropped,
      undo() {
        for (const each of undone) each()
      },
    }
  }

  return {
    take(given, { isBeacon, ...around }) {
      const touched: Touched = new Map()
      const dropped: ReportedViews['dropped'] = []
      const updates = new Map<OpenView, number>()
      for (const each of given) {
        const view = views.take({ ...each, ...around })
        if (view === undefined) dropped.push({ reason: 'repeated_event', kind: 'view_state' })
        else updates.set(view, (updates.get(view) ?? 0) + 1)
      }
      // Folded once per batch: each fold goes through up to 200 changes.
      for (const [view, count] of updates) {
        const facts = factsOf(view)
        if (facts === undefined) {
          const reason = foldedView(view) === undefined ? 'base_missing' : 'invalid'
          for (let reported = 0; reported < count; reported++) dropped.push({ reason, kind: 'view_state' })
          continue
        }
        view.tab = facts.tab
        view.startedAt = facts.startedAt
        // A page that was left may be shown again.
        view.isOver = isBeacon || !facts.isActive
        touched.set(view, facts)
      }
      for (const view of [...touched.keys()]) {
        for (const left of views.turnTab(view)) {
          left.isOver = true
          if (!touched.has(left)) touched.set(left, factsOf(left))
        }
      }
      return reportOf(touched, dropped)
    },
    takeSilent() {
      const before = intake.now() - limits.monitoredSessionIdle
      const silent = [...views.all()].filter((view) => !view.isOver && view.heardAt < before)
      for (const view of silent) view.isOver = true
      return silent.map((view) => ({ view, reports: reportOf(new Map([[view, factsOf(view)]]), []) }))
    },
  }
}

const largestRevision = 65_535

/** The same vital with its current value: the highest revision of a view counts. */
function revised(reported: RumEvent, viewId: string, version: number): RumEvent {
  const { event } = reported
  if (event.kind !== 'vital') return reported
  const rev = Math.min(largestRevision, Math.max(1, version))
  return { ...reported, event: { ...event, id: idOfText(`${viewId} ${event.name} ${rev}`), rev } }
}

/** The events at the end of a view are emitted once, even if the client reports the end again. */
function endedOnce(state: RumEvent, view: OpenView, undone: (() => void)[]): RumEvent {
  const { event } = state
  if (event.kind !== 'view_state' || event.exit === undefined) return state
  if (view.reported.has('end'))
    return { ...state, event: { ...event, vitals: { ...event.vitals, hidden: 0 } } }
  view.reported.set('end', undefined)
  undone.push(() => view.reported.delete('end'))
  return state
}
