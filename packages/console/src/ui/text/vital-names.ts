import type { VitalName } from '@telltale/core/telemetry/vitals'

/** What people call a vital who do not know its letters. */
export const vitalTitles: Readonly<Record<VitalName, string>> = {
  LCP: 'Largest paint',
  INP: 'Interaction',
  CLS: 'Layout shift',
  FCP: 'First paint',
  TTFB: 'First byte',
}
