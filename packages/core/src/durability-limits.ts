// Limits of the server's use of its disk and database engines. Durations are milliseconds.

import type { Limit } from './limit.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

export const durabilityLimits = {
  telemetryMigrationWait: {
    value: minute,
    unit: 'ms',
    reason: 'Waiting for another server that migrates the tables is logged each minute.',
  },
  damageShown: {
    value: 7 * day,
    unit: 'ms',
    reason: 'Spool damage is shown in Health for a week, because a failing disk fails again.',
  },
  partCheckInterval: {
    value: day,
    unit: 'ms',
    reason: 'The checksums of the telemetry store are verified once a day.',
  },
  diskFree: {
    value: 32 * 1_024 * 1_024,
    unit: 'bytes',
    reason: 'With room for fewer than two WAL files of PostgreSQL, the disk counts as full.',
  },
  issuesPerDay: {
    value: 2_000,
    unit: 'items',
    reason:
      'New error issues per environment: anyone with the client key can send errors, and each issue takes room in PostgreSQL. Further errors are listed as well, and become issues when someone views them.',
  },
} as const satisfies Record<string, Limit>
