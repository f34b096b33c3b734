// Limits of tests from replays. Not part of `limits`, which the console loads with its first screen.

import type { Limit } from './limit.ts'

export const replayTestLimits = {
  replayTestSteps: {
    value: 300,
    unit: 'items',
    reason: 'Steps of a test from a session: a longer one runs for minutes and is not read.',
  },
} as const satisfies Record<string, Limit>
