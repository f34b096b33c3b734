// The default plan of a rollout, for a site without known traffic.
import { limits } from '../limits.ts'
import type { Stage } from './rollout.ts'

const shares = [0.01, 0.05, 0.25, 0.5, 1]

/** Maximum probability that a harmless rollout is rolled back. */
export const usualAlpha = 0.05

/** Growing shares of the weight of both arms; the last stage but one lasts a whole day. */
export function usualStages(pool: number): Stage[] {
  return shares.map((share, index) => ({
    weight: Math.max(index + 1, Math.round(pool * share)),
    minDuration: index === shares.length - 2 ? limits.guardDwellBeforeAll : limits.guardDwell,
    minUnits: 100,
    needsApproval: false,
  }))
}

/** The same for a flag that servers evaluate. */
export const usuallyGuardedOnServers: ReadonlySet<string> = new Set([
  'users-with-a-server-error',
  'server-requests-p75',
])

/** Each guarded metric gets a share of alpha: a few are enough. */
export const usuallyGuarded: ReadonlySet<string> = new Set([
  'lcp',
  'inp',
  'cls',
  'users-with-an-error',
  'crashes',
  'users-with-a-failed-request',
  'rage-clicks',
])
