// Limits of how long and how much telemetry is kept, part of `limits`. Durations are milliseconds, sizes are bytes.

import type { Limit } from './limit.ts'
import { usageLimits } from './usage-limits.ts'

const minute = 60_000
const hour = 60 * minute
const mebibyte = 1_024 * 1_024

export const retentionLimits = {
  retentionEvents: { value: 90, unit: 'days', reason: 'A quarter of raw telemetry.' },
  retentionReplays: { value: 30, unit: 'days', reason: 'Replays are the largest kind of data.' },
  retentionProfiles: { value: 30, unit: 'days', reason: 'Profiles describe code that changes weekly.' },
  retentionExposures: { value: 400, unit: 'days', reason: 'A year-on-year look at a flag.' },
  retentionEventsMaximum: { value: 400, unit: 'days', reason: 'Thirteen months: the maximum of the tables.' },
  retentionReplaysMaximum: {
    value: 100,
    unit: 'days',
    reason: 'The maximum of the tables for the largest kind of data.',
  },
  retentionProfilesMaximum: {
    value: 100,
    unit: 'days',
    reason: 'The maximum of the tables: profiles of older code are useless.',
  },
  retentionExposuresMaximum: { value: 400, unit: 'days', reason: 'The maximum of the tables.' },
  retentionHour: {
    value: 2 * hour,
    unit: 'ms',
    reason: 'Expired data is deleted after midnight UTC, when load is low.',
  },
  retentionPoll: {
    value: 5 * minute,
    unit: 'ms',
    reason: 'How soon the nightly cleanup starts, and how soon another server continues one that stopped.',
  },
  retentionLease: {
    value: 10 * minute,
    unit: 'ms',
    reason: 'Longer than one deletion takes: a server silent for this long has stopped.',
  },
  retentionRunTime: {
    value: 2 * hour,
    unit: 'ms',
    reason: 'The longest a nightly cleanup runs; the next night continues.',
  },
  retentionClockJump: {
    value: 3 * 24 * hour,
    unit: 'ms',
    reason: 'Cleanups run daily. After a longer gap the clock may be wrong, and nothing is deleted by age.',
  },
  retentionNightsHeld: {
    value: 3,
    unit: 'items',
    reason: 'Nights without deletion after such a gap: time to correct the clock.',
  },
  quarantineTidyInterval: {
    value: hour,
    unit: 'ms',
    reason: 'How often expired quarantine rows are deleted.',
  },
  retentionMaskShare: {
    value: 5,
    unit: 'items',
    reason: 'Share of deleted rows from which the files of a partition are rewritten to free space.',
  },
  retentionAssetsAtOnce: {
    value: 2_000,
    unit: 'items',
    reason: 'Style sheets, fonts and stacks per deletion: their ids are part of the statement.',
  },
  retentionNightsKept: {
    value: 400,
    unit: 'items',
    reason: 'Log of cleanups: as long as the longest retention.',
  },
  retentionNightsShown: { value: 14, unit: 'items', reason: 'Two weeks show whether it works.' },
  budgetMinimum: {
    value: 100 * mebibyte,
    unit: 'bytes',
    reason: 'A smaller budget would keep less than a day of a small site.',
  },
  budgetMaximum: { value: 1_000_000 * 1_024 * mebibyte, unit: 'bytes', reason: 'A petabyte, roughly.' },
  diskNearlyFull: {
    value: 10,
    unit: 'items',
    reason: 'With less free space than this, the disk counts as nearly full.',
  },
  ...usageLimits,
} as const satisfies Record<string, Limit>
