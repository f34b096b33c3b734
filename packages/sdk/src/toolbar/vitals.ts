// The vitals of the open view, measured as the client measures them, from what the browser has kept.

import { startVitals } from '../collect/vitals.ts'
import type { View } from '../event.ts'
import type { SentEvent } from './kept.ts'

export const vitalNames = ['LCP', 'INP', 'CLS', 'FCP', 'TTFB'] as const
export type VitalName = (typeof vitalNames)[number]
export type Rating = 'good' | 'needs improvement' | 'poor'

/** By Google's definitions: good up to the first, poor above the second. Milliseconds; CLS has no unit. */
const thresholds: Record<VitalName, readonly [good: number, poor: number]> = {
  LCP: [2_500, 4_000],
  INP: [200, 500],
  CLS: [0.1, 0.25],
  FCP: [1_800, 3_000],
  TTFB: [800, 1_800],
}

export function rate(name: VitalName, value: number): Rating {
  const [good, poor] = thresholds[name]
  return value <= good ? 'good' : value <= poor ? 'needs improvement' : 'poor'
}

export function vitalText(name: VitalName, value: number): string {
  return name === 'CLS' ? value.toFixed(3) : `${Math.round(value)} ms`
}

export interface LiveVitals {
  page: string
  values: View['vitals']
}

const viewsKept = 10

/** Returns what reads them. */
export function followVitals(sent: readonly SentEvent[]): () => LiveVitals {
  const first = viewOf('', performance.timeOrigin)
  const views = [first]
  const at = (time: number) => views.find(({ startedAt }) => startedAt <= time) ?? first
  const current = () => views[0] ?? first
  startVitals(() => undefined, { current, at, begin: current, report: () => undefined })
  let page = ''

  return () => {
    for (const [event, context] of sent) {
      if (event.kind !== 'view' || !context.view) continue
      page = context.page ?? new URL(context.url ?? location.href, location.href).pathname
      if (event.name === 'load' || event.name === 'prerender') continue
      if (!views.some(({ id }) => id === context.view)) views.unshift(viewOf(context.view, event.at))
      views.splice(viewsKept)
    }
    const { vitals } = current()
    // A page without shifts has none to report.
    return {
      page: page || location.pathname,
      values: { ...(vitals.FCP !== undefined && { CLS: 0 }), ...vitals },
    }
  }
}

function viewOf(id: string, startedAt: number): View {
  return {
    id,
    startedAt,
    page: undefined,
    url: '',
    referrer: undefined,
    counts: { actions: 0, resources: 0, errors: 0, longFrames: 0, frustrations: 0 },
    vitals: {},
    rev: 0,
  }
}
