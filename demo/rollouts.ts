// The shop's guarded rollouts: one completed, one running, and one that was rolled back, tried again without a fix, and
// completed with one.

import type { FlagDraft } from '@telltale/core/contract/flags'
import { ines, jonas, mara } from './people.ts'

const hour = 3_600_000
const day = 24 * hour

/** Categories at a glance fail until then. */
export const quickViewFixedAgo = 1.5 * day

export interface DemoRollout {
  flag: string
  by: string
  ago: number
  reason: string
  stages: { weight: number; minDuration: number; minUnits: number; needsApproval: boolean }[]
  metrics: {
    metric: string
    limit: number
    role: 'required' | 'watched'
    onRegression: 'roll-back' | 'hold' | 'notify'
  }[]
  steps: { ago: number; action: 'advance' | 'complete' | 'roll-back'; metric?: string }[]
}

const fromOn = { clientVisible: true, valueType: 'boolean' } as const

/** The flags with a guarded rollout. */
export const guardedFlags: (FlagDraft & { by: string })[] = [
  {
    ...fromOn,
    by: jonas,
    key: 'delivery-estimate',
    name: 'When it comes',
    description: 'Says on the page of a product when it would be there.',
    tags: ['product'],
  },
  {
    ...fromOn,
    by: ines,
    key: 'quick-view',
    name: 'Categories at a glance',
    description: 'How much there is, and from which price.',
    tags: ['catalogue'],
  },
  {
    ...fromOn,
    by: mara,
    key: 'sticky-cart',
    name: 'Cart in reach',
    description: 'The button stays in view while one reads.',
    tags: ['product', 'checkout'],
  },
]

const stage = (weight: number, hours: number) => ({
  weight,
  minDuration: hours * hour,
  minUnits: 100,
  needsApproval: false,
})
const watched = (metric: string, limit: number) =>
  ({ metric, limit, role: 'watched', onRegression: 'roll-back' }) as const
const requiredInp = { metric: 'inp', limit: 0.25, role: 'required', onRegression: 'roll-back' } as const

const ofErrors = {
  metric: 'users-with-an-error',
  limit: 0.25,
  role: 'required',
  onRegression: 'roll-back',
} as const

/** The guard's actions are defined here; its findings are measured from the history afterwards. */
export const rollouts: DemoRollout[] = [
  {
    flag: 'delivery-estimate',
    by: jonas,
    ago: 6.6 * day,
    reason: 'People ask the shop on the phone',
    stages: [stage(25_000, 12), stage(50_000, 24), stage(100_000, 1)],
    metrics: [requiredInp, watched('users-with-an-error', 0.5), watched('users-with-a-failed-request', 0.5)],
    steps: [
      { ago: 5 * day, action: 'advance' },
      { ago: 3.4 * day, action: 'complete' },
    ],
  },
  {
    flag: 'quick-view',
    by: ines,
    ago: 2.5 * day,
    reason: 'Fewer clicks to the right bike',
    stages: [stage(40_000, 12), stage(70_000, 24), stage(100_000, 1)],
    metrics: [ofErrors, watched('inp', 0.25)],
    steps: [{ ago: 2.05 * day, action: 'roll-back', metric: 'users-with-an-error' }],
  },
  {
    flag: 'quick-view',
    by: ines,
    ago: 1.98 * day,
    reason: 'Must have been a bad evening',
    stages: [stage(50_000, 6), stage(100_000, 1)],
    metrics: [ofErrors, watched('inp', 0.25)],
    steps: [{ ago: 1.55 * day, action: 'roll-back', metric: 'users-with-an-error' }],
  },
  {
    flag: 'quick-view',
    by: ines,
    ago: quickViewFixedAgo,
    reason: 'Wheels are a word, not a unit of Intl',
    stages: [stage(50_000, 24), stage(100_000, 1)],
    metrics: [requiredInp, watched('users-with-an-error', 0.5)],
    steps: [{ ago: 0.15 * day, action: 'complete' }],
  },
  {
    flag: 'sticky-cart',
    by: mara,
    ago: 1.9 * day,
    reason: 'More carts, we hope',
    stages: [stage(25_000, 12), stage(50_000, 48), stage(100_000, 1)],
    metrics: [requiredInp, watched('users-with-an-error', 0.5), watched('users-with-a-failed-request', 0.5)],
    steps: [{ ago: 0.7 * day, action: 'advance' }],
  },
]
