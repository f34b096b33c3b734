// What an environment sends beyond its rate or its daily quota is refused before the body is read, and counted: a client
// may ignore the answer.

import { createRateLimit, type RateLimit } from '../../platform/http/rate-limit.ts'
import type { Intake } from './intake.ts'
import type { IntakeServices } from './intake-services.ts'

type Counting = Pick<Intake, 'outcomes' | 'quotas'>

/** Of requests of one protocol. */
export function createIntakeRate(
  { config, elapsed, intake }: Pick<IntakeServices, 'config' | 'elapsed'> & { intake: Counting },
  source: string,
): Pick<RateLimit, 'take'> {
  const rate = createRateLimit(config.intakeRate, elapsed)
  return {
    take(environmentId) {
      counting(intake, { environmentId, source, reason: 'rate_limited' }, () => rate.take(environmentId))
    },
  }
}

/** Throws `quota-exceeded` when the daily quota is used up. */
export function requireQuota(intake: Counting, environmentId: string, source: string): void {
  counting(intake, { environmentId, source, reason: 'over_quota' }, () =>
    intake.quotas.require(environmentId),
  )
}

function counting(
  { outcomes }: Counting,
  refusal: { environmentId: string; source: string; reason: string },
  require: () => void,
): void {
  try {
    require()
  } catch (error) {
    outcomes.count({ ...refusal, kind: 'batch' }, 1)
    throw error
  }
}
