// How many users an experiment needs: the smallest number with which a gain of the wanted size is called better in 80 %
// of cases, and the days in which this site's traffic brings them.

import { type Spread, smallestAlarmIn, type Traffic, unitsIn } from '../forecast-plan.ts'

export interface PlannedGoal extends Spread {
  /** The smallest gain worth having, relative: 0.05 is 5 % more, or less of what should be low. */
  gain: number
  /** The probability that the goal is ever called better or worse without a difference. */
  level: number
}

/** Weights of the two compared arms among all users of the split; their sum is at most 1. */
export interface ArmShares {
  treatment: number
  control: number
}

/** With more users than this, a plan is not useful. */
const mostUsers = 1e9
const steps = 60

/** Users of the split, in all of its arms; undefined if no number is enough or the metric was never measured. */
export function usersNeeded({ gain, level, ...spread }: PlannedGoal, shares: ArmShares): number | undefined {
  // A gain is the harm of the opposite direction.
  const better = spread.better === 'lower' ? 'higher' : 'lower'
  const isEnough = (users: number) => {
    const units = { treatment: users * shares.treatment, control: users * shares.control }
    const smallest = smallestAlarmIn({ ...spread, better }, units, { limit: 0, alpha: level / 2 })
    return smallest !== undefined && smallest <= gain
  }
  if (!isEnough(mostUsers)) return undefined
  let [below, above] = [0, Math.log(mostUsers)]
  for (let step = 0; step < steps; step += 1) {
    const middle = (below + above) / 2
    if (isEnough(Math.exp(middle))) above = middle
    else below = middle
  }
  return Math.ceil(Math.exp(above))
}

const day = 86_400_000
const mostDays = 365

/** The whole days until that many users have come; undefined beyond a year, or without traffic. */
export function daysFor(users: number, traffic: Traffic): number | undefined {
  for (let days = 1; days <= mostDays; days += 1) if (unitsIn(days * day, traffic) >= users) return days
  return undefined
}
