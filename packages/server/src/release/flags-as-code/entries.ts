import type { CodeAlert, CodeDashboard, CodeMetric } from '@telltale/core/contract/code-document'

/** Entries of the kinds that higher modules own, complete. */
export interface Entries {
  metrics: ReadonlyMap<string, CodeMetric>
  alerts: ReadonlyMap<string, CodeAlert>
  dashboards: ReadonlyMap<string, CodeDashboard>
}
