// A simulated site where some users of one arm are exposed and never heard from again, with ten looks of the guard.
import type { DayEvents } from '../../statistics/late-harm.ts'
import { type ArmName, noSums, type UnitSums } from '../../statistics/sums.ts'
import { seededRandom } from '../../statistics/testing/seeded-random.ts'
import { judgeMetric, type MetricEvidence } from '../judge-metric.ts'
import type { JudgedMetric } from '../metric-method.ts'
import { findMissingPeople } from '../missing-people.ts'

const errors: JudgedMetric = {
  metric: 'errors',
  method: { kind: 'rare-share', measure: 'error', of: 'session' },
  better: 'lower',
  limit: 0.25,
  alphaWeight: 1,
}

export interface SilentSite {
  users: number
  /** The share of users with an error in the control. */
  rate: number
  /** The multiple of it in the treatment. */
  times: number
  /** The share of users in each arm who are not heard from. */
  silent: Partial<Record<ArmName, number>>
  /** How many times as likely silent users have an error. */
  silentTimes?: number
  limit?: number
  /** How the metric is judged: by first events, or as a frequent share. */
  kind?: 'rare-share' | 'share'
}

const looks = 10

/** All states of the metric over time. */
export function watchSilentSite(site: SilentSite, seed: number): Set<string> {
  const { users, rate, times, silent, limit = 0.25, silentTimes = 1, kind = 'rare-share' } = site
  const random = seededRandom(seed)
  const counts = () => ({ treatment: 0, control: 0, share: 0.5 })
  const [exposed, heard, met] = [counts(), counts(), counts()]
  const states = new Set<string>()
  for (let user = 1; user <= users; user += 1) {
    const arm: ArmName = random.uniform() < 0.5 ? 'treatment' : 'control'
    exposed[arm] += 1
    const quiet = silent[arm] ?? 0
    if (random.uniform() >= quiet) {
      heard[arm] += 1
      // Silent users and users heard from together have the given rate.
      const chance = (rate * (1 - quiet * silentTimes)) / (1 - quiet)
      if (random.uniform() < chance * (arm === 'treatment' ? times : 1)) met[arm] += 1
    }
    if (user % (users / looks) !== 0) continue
    const missing = findMissingPeople({ exposures: [exposed], heard: [heard] })
    const metric: JudgedMetric = { ...errors, limit, method: { kind, measure: 'error', of: 'session' } }
    states.add(
      judgeMetric(metric, evidenceOf(kind, heard, met), { alpha: 0.05, nextShare: 1, missing }).state,
    )
  }
  return states
}

type Counts = Record<ArmName, number> & { share: number }

function evidenceOf(kind: 'rare-share' | 'share', heard: Counts, met: Counts): MetricEvidence {
  const days: DayEvents[] = [{ day: 1, stages: [met] }]
  if (kind === 'rare-share') return { kind: 'events', stages: [met], days, units: heard }
  const sums = (arm: ArmName): UnitSums => {
    const [n, y] = [heard[arm], met[arm]]
    return { ...noSums, units: n, n, nn: n, y, ny: y, yy: y }
  }
  const stages = [{ treatment: sums('treatment'), control: sums('control') }]
  return { kind: 'ratio', sums: { stages, shared: { treatment: [], control: [] } } }
}
