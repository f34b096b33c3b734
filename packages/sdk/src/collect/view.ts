// Views: the initial page load, each route, and each restore from the back/forward cache. A view is sent once when it
// starts; its updates are sent along with other events.

import type { EventKind, EventOf } from '@telltale/core/contract/events'
import { guarded } from '../browser/guard.ts'
import { observeEntries } from '../browser/observe.ts'
import { watchRoutes } from '../browser/routes.ts'
import { toInstant } from '../browser/time.ts'
import { createUuid } from '../browser/uuid.ts'
import { isRoute } from '../clean.ts'
import type { Counts, Emit, View } from '../event.ts'

type Beginning = EventOf<'view'>['name']
type End = NonNullable<EventOf<'view_state'>['exit']>

export interface ViewOptions {
  emit: Emit
  pageOf(): string | undefined
  urlOf(address: string): string
  /** Called before a view ends, to send its pending data. */
  onEnd(view: View): void
}

export interface Views {
  current(): View
  /** The view that was open at that time, in milliseconds since 1970. */
  at(time: number): View
  begin(name?: Beginning, page?: string): View
  /** Updates of the views that changed: an ended one still gets what is measured late. `exit` is that of the open view. */
  report(exit?: End): void
}

const remembered = 10
/** How far the clocks of a page may differ at once, milliseconds. */
const clockSlack = 5
const counted: Partial<Record<EventKind, keyof Counts>> = {
  action: 'actions',
  resource: 'resources',
  error: 'errors',
  long_frame: 'longFrames',
}

export function startViews({ emit, pageOf, urlOf, onEnd }: ViewOptions): Views {
  const views: View[] = []
  let path = ''
  let address = ''

  const current = () => views[0] ?? begin()
  const open = (startedAt: number, name: Beginning, page = pageOf()) => {
    const view: View = {
      id: createUuid(startedAt),
      startedAt,
      page,
      url: urlOf(location.href),
      referrer: views[0]?.url ?? (urlOf(document.referrer) || undefined),
      counts: { actions: 0, resources: 0, errors: 0, longFrames: 0, frustrations: 0 },
      vitals: {},
      rev: 0,
    }
    views.unshift(view)
    views.splice(remembered)
    path = routeOf(location)
    address = location.href
    emit('view', { name }, { at: startedAt, view })
    return view
  }
  const report = (view: View, how?: End) => {
    const { counts, vitals, startedAt, exit = how } = view
    const reported = JSON.stringify([counts, vitals, exit])
    if (reported === view.lastSent) return
    view.lastSent = reported
    if (!view.exit) view.duration = Math.max(0, Date.now() - startedAt)
    if (exit !== 'hidden') view.exit = exit
    const state = { rev: ++view.rev, startedAt, duration: view.duration, vitals, ...counts }
    emit('view_state', { ...state, exit, active: !exit }, { view })
  }
  const begin = (name?: Beginning, page?: string): View => {
    if (views[0]) {
      onEnd(views[0])
      report(views[0], name ? 'route' : 'session')
    }
    return open(Date.now(), name, page)
  }
  watchRoutes(
    guarded(() => {
      if (path !== routeOf(location)) begin('route')
    }),
  )
  // The browser reported a navigation where only the query changed.
  observeEntries('soft-navigation', ({ name, startTime }) => {
    const isNew = name !== address && toInstant(startTime) > current().startedAt
    if (isNew && routeOf(new URL(name)) === path) begin('soft')
  })
  const { activationStart = 0 } = Object(performance.getEntriesByType('navigation')[0])
  open(toInstant(activationStart), activationStart ? 'prerender' : 'load')

  return {
    current,
    at: (time) => views.find(({ startedAt }) => startedAt <= time + clockSlack) ?? views.at(-1) ?? current(),
    begin,
    report(exit) {
      for (const view of views) report(view, exit)
    },
  }
}

/** What identifies a view: not the query, and of the fragment only a route. */
function routeOf({ pathname, hash }: URL | Location): string {
  return pathname + (isRoute(hash) ? hash : '')
}

export function countIn({ counts }: View, kind: EventKind): void {
  const name = counted[kind]
  if (name) counts[name]++
}
