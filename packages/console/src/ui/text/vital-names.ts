import type { VitalName } from '@telltale/core/telemetry/vitals'

/** The full names of the vitals. */
export const vitalTitles: Readonly<Record<VitalName, string>> = {
  LCP: 'Largest Contentful Paint',
  INP: 'Interaction to Next Paint',
  CLS: 'Cumulative Layout Shift',
  FCP: 'First Contentful Paint',
  TTFB: 'Time to First Byte',
}
