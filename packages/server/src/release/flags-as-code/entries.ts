import type {
  CodeAlert,
  CodeDashboard,
  CodeMetric,
  CodeRolloutTemplate,
} from '@telltale/core/contract/code-document'

/** Entries of the kinds that higher modules own, complete. */
export interface Entries {
  metrics: ReadonlyMap<string, CodeMetric>
  rolloutTemplates: ReadonlyMap<string, CodeRolloutTemplate>
  alerts: ReadonlyMap<string, CodeAlert>
  dashboards: ReadonlyMap<string, CodeDashboard>
}
