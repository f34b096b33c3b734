// Web vitals by Google's definitions, for each view. Each is told once, when it is final: paints with the first input, shifts
// and interactions when the view ends, or nobody sees it any more. What changes afterwards stays in the state of the view.

import type { EventOf } from '@telltale/core/contract/events'
import { listen } from '../browser/listen.ts'
import type { CleanAttributes } from '../clean.ts'
import type { Emit } from '../event.ts'
import { guarded } from '../guard.ts'
import { startInteractions } from './interactions.ts'
import { startPaints } from './paints.ts'
import { startShifts } from './shifts.ts'
import type { View, Views } from './view.ts'

type Name = EventOf<'vital'>['name']

export interface Vital {
  value: number
  /** Milliseconds since 1970. */
  at: number
  target?: string | undefined
  attributes?: CleanAttributes | undefined
}

/** The latest value; it may still change. */
export type Find = (view: View, name: Name, vital: Vital) => void

/** Returns what tells those of a view that waited for its end. */
export function startVitals(emit: Emit, views: Views): (view: View) => void {
  const vitals = new WeakMap<View, Map<Name, Vital>>()
  const told = new WeakMap<View, Set<Name>>()
  const first = views.current()

  const tell = (view: View, ...names: Name[]) => {
    const before = told.get(view) ?? new Set()
    told.set(view, before)
    for (const name of names) {
      const vital = vitals.get(view)?.get(name)
      if (!vital || before.has(name)) continue
      before.add(name)
      const { at, ...rest } = vital
      emit('vital', { name, ...rest }, { at, view })
    }
  }
  const find: Find = (view, name, vital) => {
    view.vitals[name] = vital.value
    vitals.set(view, (vitals.get(view) ?? new Map()).set(name, vital))
    if (name === 'TTFB' || name === 'FCP') tell(view, name)
  }
  const drains = [...startPaints(find, views), ...startInteractions(find, views), startShifts(find, views)]
  // Browsers look for no larger paint after these; the last one may be on its way.
  listen(globalThis, 'keydown click', () => {
    setTimeout(guarded(tell), 0, views.current(), 'LCP')
  })

  return (view) => {
    for (const drain of drains) drain?.()
    const { FCP, CLS = 0 } = view.vitals
    // Shifts add up until the end; in a page that nobody saw there are none.
    const shifts = vitals.get(view)?.get('CLS')
    if (drains.at(-1) && (FCP || view !== first)) find(view, 'CLS', { value: CLS, ...shifts, at: Date.now() })
    tell(view, 'LCP', 'CLS', 'INP')
  }
}
