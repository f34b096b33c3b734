// The budget of harm of an environment: how many users may be affected by flag variations in a month. It is spent by
// confirmed harm alone: sums of bounds that hold together, so noise of many harmless flags spends nothing.

export type BudgetUnit = 'users' | 'share'
export type BudgetPolicy = 'warn' | 'wait'

export interface HarmBudget {
  /** Affected users in a month, or their share of all users of the month, from 0 to 1. */
  amount: number
  unit: BudgetUnit
  /** Whether rollouts wait while it is spent. */
  policy: BudgetPolicy
}

export interface SpentBudget {
  /** In users. */
  allowed: number
  spent: number
  isSpent: boolean
}

interface MonthHarm {
  /** All users of the month who read a flag. */
  users: number
  /** Of each column. */
  confirmed: readonly number[]
}

export function spendBudget({ amount, unit }: Omit<HarmBudget, 'policy'>, month: MonthHarm): SpentBudget {
  const allowed = unit === 'users' ? amount : amount * month.users
  const spent = month.confirmed.reduce((sum, one) => sum + one, 0)
  // A budget of 0 allows no harm, but none is spent yet.
  return { allowed, spent, isSpent: spent > 0 && spent >= allowed }
}
