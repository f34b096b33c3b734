// Starts the enabled collectors and connects them: requests and errors while the page responds to a click are
// attributed to that click.

import { guarded } from '../browser/guard.ts'
import { startActions } from '../collect/action.ts'
import { createActivity } from '../collect/activity.ts'
import { type ErrorOptions, type ReportError, startErrors } from '../collect/error.ts'
import { startLongFrames } from '../collect/long-frame.ts'
import { startResources } from '../collect/resource.ts'
import { countIn, startViews, type ViewOptions, type Views } from '../collect/view.ts'
import { startVitals } from '../collect/vitals.ts'
import type { Emit, View } from '../event.ts'
import type { Collected, MonitoringOptions } from '../monitoring.ts'

export interface CollectorOptions extends Pick<ErrorOptions, 'early'>, Omit<ViewOptions, 'onEnd'> {
  collect: MonitoringOptions['collect']
  isOurs(address: string, initiator?: string): boolean
  mayRead(): boolean
}

export interface Collectors {
  views: Views
  /** Counts what it passes on. */
  emit: Emit
  reportError: ReportError
  /** Reports pending data of the view. When the page is hidden or left, nothing waits any longer. */
  catchUp(exit?: 'hidden' | 'unload'): void
}

export function startCollectors(options: CollectorOptions): Collectors {
  const { collect = {}, urlOf, mayRead, isOurs, early } = options
  const wants = (name: Collected) => collect[name] ?? name !== 'consoleErrors'
  const start = <Args extends unknown[], Part>(
    name: Collected,
    part: (...args: Args) => Part,
    ...args: Args
  ) => (wants(name) ? guarded(part)(...args) : undefined)
  const activity = createActivity()
  const finish = (view: View) => {
    finishResources?.()
    actions?.finish()
    finishVitals?.(view)
  }
  const emit: Emit = (kind, fields, moment) => {
    const view = moment?.view ?? views.current()
    const action = kind === 'error' ? actions?.current() : undefined
    if (action) actions?.noteError()
    countIn(view, kind)
    options.emit(kind, action ? { ...fields, action } : fields, { ...moment, view })
  }
  const onRequest = (change: 1 | -1) => {
    activity.count(change)
    return actions?.current()
  }
  const views = startViews({ ...options, onEnd: finish })
  const finishVitals = start('vitals', startVitals, emit, views)
  const actions = start('actions', startActions, { emit, views, activity, mayRead })
  const finishResources = start('resources', startResources, { emit, views, urlOf, isOurs, onRequest })
  start('longFrames', startLongFrames, emit, urlOf)
  // Last: reporting earlier errors requires the other collectors.
  const reportError = startErrors({ emit, early, listens: wants('errors'), console: wants('consoleErrors') })

  return {
    views,
    emit,
    reportError,
    catchUp(exit) {
      if (exit) finish(views.current())
      views.report(exit)
    },
  }
}
