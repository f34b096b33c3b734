// Limits of the ledger of harm. Not part of `limits`, which the console loads with its first screen.

import type { Limit } from './limit.ts'

const minute = 60_000
const hour = 60 * minute

export const ledgerLimits = {
  ledgerPoll: {
    value: minute,
    unit: 'ms',
    reason: 'How often a server checks which months of the ledger are due.',
  },
  ledgerInterval: {
    value: 10 * minute,
    unit: 'ms',
    reason: 'How often the current month of the ledger is computed again.',
  },
  ledgerWork: {
    value: 20,
    unit: 'items',
    reason:
      'A month is computed again after this many times the duration of the last time: 5% of one thread.',
  },
  ledgerLease: {
    value: 15 * minute,
    unit: 'ms',
    reason: 'Lease of a dead server on a month of the ledger.',
  },
  ledgerReadTimeout: {
    value: 2 * minute,
    unit: 'ms',
    reason: 'Timeout of one statement of the ledger, which runs on one thread in the background.',
  },
  ledgerComplete: {
    value: 49 * hour,
    unit: 'ms',
    reason: 'A month is computed for the last time after events can no longer arrive late.',
  },
  ledgerMonthsBack: {
    value: 2,
    unit: 'items',
    reason: 'Months before the current one that are computed for an environment without a ledger.',
  },
  ledgerMonthsShown: {
    value: 36,
    unit: 'items',
    reason: 'Months that the ledger lists, the latest first.',
  },
  ledgerSplits: {
    value: 100,
    unit: 'items',
    reason: 'Splits of one joint estimate, the latest first: their pairs are counted together.',
  },
  ledgerCells: {
    value: 1_000,
    unit: 'items',
    reason:
      'Stages times variations of all splits of a month: half a million pairs are still read in seconds.',
  },
  ledgerExposuresTogether: {
    value: 2_000_000,
    unit: 'items',
    reason: 'Exposures of the users who are counted in one statement: their variations fit into memory.',
  },
  ledgerRollbacks: {
    value: 50,
    unit: 'items',
    reason: 'Rollbacks of one month whose prevented harm is estimated, the latest first.',
  },
  ledgerUnsplitFlags: {
    value: 100,
    unit: 'items',
    reason: 'Flags without a split that the ledger names.',
  },
  harmBudgetUsers: {
    value: 1_000_000_000,
    unit: 'items',
    reason: 'Largest budget of harm in users per month: above every site.',
  },
} as const satisfies Record<string, Limit>

const limitOf = (name: keyof typeof ledgerLimits) => ledgerLimits[name].value

export const ledger = {
  poll: limitOf('ledgerPoll'),
  interval: limitOf('ledgerInterval'),
  work: limitOf('ledgerWork'),
  lease: limitOf('ledgerLease'),
  readTimeout: limitOf('ledgerReadTimeout'),
  complete: limitOf('ledgerComplete'),
  monthsBack: limitOf('ledgerMonthsBack'),
  monthsShown: limitOf('ledgerMonthsShown'),
  splits: limitOf('ledgerSplits'),
  cells: limitOf('ledgerCells'),
  exposuresTogether: limitOf('ledgerExposuresTogether'),
  rollbacks: limitOf('ledgerRollbacks'),
  unsplitFlags: limitOf('ledgerUnsplitFlags'),
  budgetUsers: limitOf('harmBudgetUsers'),
}
