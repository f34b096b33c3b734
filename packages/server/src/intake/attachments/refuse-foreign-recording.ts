import type { DropReason, EventContext } from '@telltale/core/contract/events'
import { limits } from '@telltale/core/limits'
import { isLikely } from '@telltale/core/telemetry/likely-time'
import type { KnownEnvironment } from '../../organisation/keys/known-keys.ts'
import type { ErasedPeople } from '../events/erased-people.ts'
import type { Intake } from '../events/intake.ts'
import { refuseReduced } from './refuse-reduced.ts'
import type { SessionSizes } from './session-sizes.ts'

interface Recording {
  environment: KnownEnvironment
  context: EventContext
  startedAt: number
  endedAt: number
  arrivedAt: number
  /** Milliseconds for which an edge kept it. */
  waited?: number
  /** As it was sent. */
  sizeBytes: number
}

/**
 * Why a segment by another client is not stored. Such a client has already sampled; the environment decides only whether
 * recordings are accepted.
 */
export function refuseForeignRecording(
  { environment, context, startedAt, endedAt, arrivedAt, waited = 0, sizeBytes }: Recording,
  {
    intake,
    erasedPeople,
    sizes,
  }: { intake: Pick<Intake, 'reductions'>; erasedPeople: ErasedPeople; sizes: SessionSizes },
): DropReason | undefined {
  const arrival = { arrivedAt: arrivedAt - waited, ageMaximum: limits.eventAgeMaximum }
  if (environment.sampling.replay === 0) return 'sampled_out'
  const reduced = refuseReduced(intake, environment, context.session)
  if (reduced !== undefined) return reduced
  if (erasedPeople.has(environment.id, context, waited)) return 'erased_person'
  if (endedAt < startedAt || endedAt - startedAt > limits.monitoredSessionMaximum) return 'invalid'
  if (!isLikely(startedAt, arrival) || !isLikely(endedAt, arrival)) return 'timestamp_out_of_range'
  return sizes.hasRoom(environment.id, context.session, sizeBytes) ? undefined : 'session_full'
}
