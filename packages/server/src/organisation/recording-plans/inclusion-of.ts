import type { EventContext } from '@telltale/core/contract/events'
import { samplePosition } from '@telltale/core/keys'
import type { RecordingRates } from '@telltale/core/recording/chance'
import type { AppliedPlan, RecordingPlans } from './recording-plans.ts'

interface Sampled {
  id: string
  sampling: RecordingRates & { session: number }
}

/**
 * The probability with which a session is in the sample of replays or profiles, from 0 to 1; 0 if it is not in it. The
 * client knows which orders its session matches. It cannot exceed the highest rate of the last hours, and what the
 * environment has switched off stays off.
 */
function inclusionOf(
  kind: keyof RecordingRates,
  { sampling }: Sampled,
  { plan, context }: { plan: AppliedPlan | undefined; context: EventContext },
): number {
  const rate = sampling[kind]
  if (rate <= 0) return 0
  const position = samplePosition(context.session)
  // Earlier clients know no orders, and may still have the rates from before them.
  const [base, most] = [plan?.base[kind] ?? rate, Math.max(rate, plan?.peak[kind] ?? 0)]
  const usual = position * 100 < base ? base / 100 : rate / 100
  const chance = Math.min(context.inclusion?.[kind] ?? usual, most / 100)
  return position < chance ? Math.min(chance, sampling.session / 100) : 0
}

/** For the contexts of an environment. */
export function inclusionsIn(
  environment: Sampled,
  plans: Pick<RecordingPlans, 'of'>,
): (context: EventContext) => RecordingRates {
  const plan = plans.of(environment.id)
  return (context) => ({
    replay: inclusionOf('replay', environment, { plan, context }),
    profile: inclusionOf('profile', environment, { plan, context }),
  })
}
