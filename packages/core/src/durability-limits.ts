// The part of the limits that says how the server deals with what its disk and its engines do. Spans are milliseconds.

import type { Limit } from './limit.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

export const durabilityLimits = {
  telemetryMigrationWait: {
    value: minute,
    unit: 'ms',
    reason: 'Another server changes the tables: the wait says so after a minute, and begins again.',
  },
  damageShown: {
    value: 7 * day,
    unit: 'ms',
    reason:
      'Damage of the spool is shown in the health of the server for a week: a disk that fails does so again.',
  },
  partCheckInterval: {
    value: day,
    unit: 'ms',
    reason: 'Every part of the telemetry store is read once a day for its checksums.',
  },
  diskFree: {
    value: 32 * 1_024 * 1_024,
    unit: 'bytes',
    reason: 'With less than two files of the log of PostgreSQL free, the disk counts as full.',
  },
} as const satisfies Record<string, Limit>
