import { cutsOf, type RetentionCuts, type RetentionDays } from '@telltale/core/query/retention'
import type { EnvironmentRow } from '../../organisation/environments/queries.ts'

export function daysOf(row: EnvironmentRow): RetentionDays {
  return {
    events: row.retentionEvents,
    replays: row.retentionReplays,
    profiles: row.retentionProfiles,
    exposures: row.retentionExposures,
  }
}

export function cutsOfEnvironment(row: EnvironmentRow, now: Date): RetentionCuts {
  return cutsOf(daysOf(row), { now: now.getTime(), timeZone: row.timeZone })
}
