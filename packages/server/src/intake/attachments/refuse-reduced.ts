import type { DropReason } from '@telltale/core/contract/events'
import { samplePosition } from '@telltale/core/keys'
import type { KnownEnvironment } from '../../organisation/keys/known-keys.ts'
import type { Intake } from '../events/intake.ts'
import { sessionShareOf } from '../events/session-share.ts'

/** Why a replay or a profile is not stored while a quota is used up or during a spike. */
export function refuseReduced(
  { reductions }: Pick<Intake, 'reductions'>,
  environment: Pick<KnownEnvironment, 'id' | 'projectId' | 'keyId' | 'sampling'>,
  session: string,
): DropReason | undefined {
  if (reductions.of(environment)?.pausesRecording === true) return 'paused_by_quota'
  const { share, reduced } = sessionShareOf(reductions, environment)
  return samplePosition(session) >= share ? reduced?.reason : undefined
}
