// Vitals as the web-vitals package measured them in the pages, beside those that the server has of the same page loads.

import type { PageRecord } from './start-application.ts'

export interface SessionView {
  id: string
  page: string
  startedAt: string
  lcp: number | null
  inp: number | null
  cls: number | null
  fcp: number | null
  ttfb: number | null
}

type Vitals = Record<string, number>

/** Of each page load in their order, the last value that was reported. */
export function referenceVitals(records: readonly PageRecord[]): Vitals[] {
  const loads = new Map<string, Vitals>()
  for (const record of [...records].sort((one, other) => one.order - other.order)) {
    if (record.kind === 'load') loads.set(record.load, loads.get(record.load) ?? {})
    if (record.kind === 'vital')
      loads.set(record.load, { ...loads.get(record.load), [record.name]: record.value })
  }
  return [...loads].sort(([one], [other]) => Number(one) - Number(other)).map(([, vitals]) => vitals)
}

/** The views of each page load: the first and the routes after it. `pages` marks loads with a star. */
export function viewsByLoad(pages: readonly string[], views: readonly SessionView[]): SessionView[][] {
  const loads: SessionView[][] = []
  for (const [index, page] of pages.entries()) {
    if (page.startsWith('*')) loads.push([])
    const view = views[index]
    if (view) loads.at(-1)?.push(view)
  }
  return loads
}

export interface VitalPair {
  name: string
  reference: number | undefined
  stored: number | undefined
}

/**
 * What can be compared exactly. web-vitals measures a page load as one; a view of ours ends with its route. So the paints are those
 * of the first view, INP the worst of all views (fewer than 50 interactions), and CLS is comparable where there was one view.
 */
export function pairVitals(reference: Vitals, views: readonly SessionView[]): VitalPair[] {
  const [first] = views
  const inps = views.flatMap(({ inp }) => inp ?? [])
  const pairs = [
    { name: 'FCP', reference: reference.FCP, stored: first?.fcp ?? undefined },
    { name: 'TTFB', reference: reference.TTFB, stored: first?.ttfb ?? undefined },
    { name: 'LCP', reference: reference.LCP, stored: first?.lcp ?? undefined },
    { name: 'INP', reference: reference.INP, stored: inps.length > 0 ? Math.max(...inps) : undefined },
  ]
  if (views.length > 1) return pairs
  return [...pairs, { name: 'CLS', reference: reference.CLS, stored: first?.cls ?? undefined }]
}
