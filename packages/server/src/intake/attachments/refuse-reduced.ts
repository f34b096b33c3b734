import type { DropReason } from '@telltale/core/contract/events'
import { samplePosition } from '@telltale/core/keys'
import type { MeteredEnvironment } from '../../organisation/usage/count-usage.ts'
import type { Intake } from '../events/intake.ts'
import { reasonOf } from '../events/session-share.ts'

/** Why a replay or a profile is not stored while a quota is used up or during a spike. */
export function refuseReduced(
  { reductions }: Pick<Intake, 'reductions'>,
  environment: MeteredEnvironment,
  session: string,
): DropReason | undefined {
  const reduction = reductions.of(environment)
  if (reduction === undefined) return undefined
  if (reduction.pausesRecording) return 'paused_by_quota'
  return samplePosition(session) >= reduction.share ? reasonOf(reduction) : undefined
}
