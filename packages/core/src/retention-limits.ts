// The part of the limits that says how long telemetry is kept, and how much of it. Spans are milliseconds, sizes are bytes.

import type { Limit } from './limit.ts'

const minute = 60_000
const hour = 60 * minute
const mebibyte = 1_024 * 1_024

export const retentionLimits = {
  retentionEvents: { value: 90, unit: 'days', reason: 'A quarter of raw telemetry.' },
  retentionReplays: { value: 30, unit: 'days', reason: 'Replays are the largest kind of data.' },
  retentionProfiles: { value: 30, unit: 'days', reason: 'Profiles describe code that changes weekly.' },
  retentionExposures: { value: 400, unit: 'days', reason: 'A year-on-year look at a flag.' },
  retentionEventsMaximum: { value: 400, unit: 'days', reason: 'Thirteen months: the tables keep no more.' },
  retentionReplaysMaximum: {
    value: 100,
    unit: 'days',
    reason: 'The tables keep no more of what is largest.',
  },
  retentionProfilesMaximum: {
    value: 100,
    unit: 'days',
    reason: 'The tables keep no more: profiles of older code tell nothing.',
  },
  retentionExposuresMaximum: { value: 400, unit: 'days', reason: 'The tables keep no more.' },
  retentionHour: {
    value: 2 * hour,
    unit: 'ms',
    reason: 'After midnight UTC; what is past its days then goes, when few are at work.',
  },
  retentionPoll: {
    value: 5 * minute,
    unit: 'ms',
    reason: 'How soon a night begins, and how soon another server goes on where one stopped.',
  },
  retentionLease: {
    value: 10 * minute,
    unit: 'ms',
    reason: 'Longer than one deletion takes: a server that is silent for so long has stopped.',
  },
  retentionRunTime: {
    value: 2 * hour,
    unit: 'ms',
    reason: 'The most that a night works; the next one goes on.',
  },
  quarantineTidyInterval: {
    value: hour,
    unit: 'ms',
    reason: 'Rows in quarantine that are past the days of events go so soon.',
  },
  retentionMaskShare: {
    value: 5,
    unit: 'items',
    reason:
      'When one row in so many of a partition is deleted, its files are written anew, so that space comes back.',
  },
  retentionAssetsAtOnce: {
    value: 2_000,
    unit: 'items',
    reason: 'Style sheets, fonts and stacks that one deletion names: their ids stand in its text.',
  },
  retentionNightsKept: { value: 400, unit: 'items', reason: 'What went when: as long as anything is kept.' },
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
    reason: 'With less than one part in so many free, the disk is nearly full: a person should act.',
  },
} as const satisfies Record<string, Limit>
