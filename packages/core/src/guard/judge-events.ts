// The finding for an event of few units, by the arm of their first occurrence: with evidence that also restarts every
// day, and with the shares of the arms that were heard from.
import { eventsIn, expectedInTreatment, type StageEvents } from '../statistics/event-share.ts'
import { judgeEventShare, type ShareVerdict, type Standard } from '../statistics/judge.ts'
import type { DayEvents } from '../statistics/late-harm.ts'
import { rateBelow } from '../statistics/safety-margin.ts'
import type { ArmName } from '../statistics/sums.ts'
import { asHeard, boundsForAll, lineForHeard, type MissingPeople } from './missing-people.ts'

export interface EventEvidence {
  kind: 'events'
  stages: readonly StageEvents[]
  /** The same by day, in days since 1970. */
  days?: readonly DayEvents[] | undefined
  units: Record<ArmName, number>
}

export const eventsForVerdict = 8
const day = 86_400_000

interface JudgedEvents {
  verdict: ShareVerdict
  events: { all: number; treatment: number; expected: number }
  values: Record<ArmName, number>
  rateBelow: number | undefined
  /** An instant in milliseconds. */
  since: number | undefined
}

export function judgeEvents(
  evidence: EventEvidence,
  standard: Standard,
  missing: MissingPeople | undefined,
): JudgedEvents {
  const { stages, units } = evidence
  const all = eventsIn(stages)
  const count = (arm: ArmName) => stages.reduce((sum, stage) => sum + stage[arm], 0)
  const share = (arm: ArmName) => (units[arm] > 0 ? count(arm) / units[arm] : 0)
  const verdict = judgeHeard(evidence, standard, { missing, isReady: all >= eventsForVerdict })
  return {
    verdict,
    events: { all, treatment: count('treatment'), expected: expectedInTreatment(stages) },
    values: { treatment: share('treatment'), control: share('control') },
    rateBelow: all === 0 ? rateBelow(units.treatment + units.control) : undefined,
    since: verdict.since === undefined ? undefined : verdict.since * day,
  }
}

function judgeHeard(
  { stages, days }: EventEvidence,
  standard: Standard,
  { missing, isReady }: { missing: MissingPeople | undefined; isReady: boolean },
): ShareVerdict {
  const designed = () => judgeEventShare(stages, standard, { isReady, days })
  if (missing === undefined) return designed()
  const { better } = standard
  const heard = (of: readonly StageEvents[]) => asHeard(of, missing, { requested: 'harm', better })
  const found = judgeEventShare(heard(stages), lineForHeard(standard, missing), {
    isReady,
    days: days?.map((one) => ({ ...one, stages: heard(one.stages) })),
    safety: asHeard(stages, missing, { requested: 'safety', better }),
  })
  const bounded = { ...found, worse: { ...found.worse, ...boundsForAll(found.worse, missing, better) } }
  return missing.isCertain ? bounded : leastFavourable(designed(), bounded, standard)
}

/** What holds for both. */
function leastFavourable(one: ShareVerdict, other: ShareVerdict, { alpha, beta }: Standard): ShareVerdict {
  const regression = Math.min(one.regression, other.regression)
  const safety = Math.min(one.safety, other.safety)
  const reaches = (evidence: number, level: number) => evidence >= Math.log(1 / level)
  const decided = reaches(regression, alpha) ? 'regressed' : reaches(safety, beta) ? 'healthy' : 'watching'
  const weaker = one.regression < other.regression ? one : other
  return {
    ...weaker,
    state: one.state === 'collecting' ? one.state : decided,
    worse: {
      lower: Math.min(one.worse.lower, other.worse.lower),
      estimate: one.worse.estimate,
      upper: Math.max(one.worse.upper, other.worse.upper),
    },
    regression,
    safety,
  }
}
