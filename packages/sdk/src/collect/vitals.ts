// Web vitals by Google's definitions, for each view. Paints are sent with the first input, shifts and interactions when
// the view ends or the page is hidden. Later changes are sent as the next revision, which replaces the previous one.

import type { EventOf } from '@telltale/core/contract/events'
import { guarded } from '../browser/guard.ts'
import { listen } from '../browser/listen.ts'
import type { CleanAttributes } from '../clean.ts'
import type { Emit, View } from '../event.ts'
import { startInteractions } from './interactions.ts'
import { startPaints } from './paints.ts'
import { startShifts } from './shifts.ts'
import type { Views } from './view.ts'

type Name = EventOf<'vital'>['name']

export interface Vital {
  value: number
  /** Milliseconds since 1970. */
  at: number
  target?: string | undefined
  attributes?: CleanAttributes | undefined
}

interface Known extends Vital {
  /** The last value sent, and the revision of the next one. */
  sent?: number | undefined
  rev?: number | undefined
}

/** The latest value; it may still change. */
export type Find = (view: View, name: Name, vital: Vital) => void

/** Returns a function that reports the vitals that waited for the end of a view. */
export function startVitals(emit: Emit, views: Views): (view: View) => void {
  const vitals = new WeakMap<View, Partial<Record<Name, Known>>>()
  const first = views.current()

  const report = (view: View, ...names: Name[]) => {
    for (const name of names) {
      const vital = vitals.get(view)?.[name]
      if (!vital || vital.value === vital.sent) continue
      const { at, sent: _, ...rest } = vital
      emit('vital', { name, ...rest }, { at, view })
      vital.sent = vital.value
      vital.rev = (vital.rev ?? 0) + 1
    }
  }
  const find: Find = (view, name, vital) => {
    view.vitals[name] = vital.value
    const known = vitals.get(view) ?? {}
    vitals.set(view, known)
    known[name] = { ...known[name], ...vital }
    // An interaction that leads to another view is measured after that has begun.
    if (name === 'TTFB' || name === 'FCP' || view.exit) report(view, name)
  }
  const drains = [...startPaints(find, views), ...startInteractions(find, views), startShifts(find, views)]
  // Browsers look for no larger paint after these; the last one may be on its way.
  listen(globalThis, 'keydown click', () => {
    setTimeout(guarded(report), 0, views.current(), 'LCP')
  })

  return (view) => {
    for (const drain of drains) drain?.()
    const { FCP, CLS = 0 } = view.vitals
    // Shifts add up until the end; in a page that nobody saw there are none.
    const shifts = vitals.get(view)?.CLS
    if (drains.at(-1) && (FCP || view !== first)) find(view, 'CLS', { value: CLS, ...shifts, at: Date.now() })
    report(view, 'LCP', 'CLS', 'INP')
  }
}
