// What is metered of each project, in the order in which it is shown.

export const meters = [
  'events',
  'sessions',
  'replaySegments',
  'replayBytes',
  'profiles',
  'spans',
  'logs',
  'bytes',
  'evaluations',
] as const

export type Meter = (typeof meters)[number]

/** What usage can be split by. */
export const usageGroups = ['day', 'environment', 'key', 'application'] as const
export type UsageGroup = (typeof usageGroups)[number]
