// Steps shared by all attachments: the quota of the environment, room in the spool, and counting the outcome.

import type { IntakeReceipt } from '@telltale/core/contract/events'
import { Problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { clockOffset } from '@telltale/core/telemetry/likely-time'
import type { IntakeServices } from '../events/intake-services.ts'
import { requireQuota } from '../events/within-limits.ts'
import { type ArrivedAttachment, type AttachmentKind, reasonOf, type TakeParts } from './attachment.ts'
import { meterAttachment } from './meter-attachment.ts'
import { createSessionSizes } from './session-sizes.ts'
import { createStoreAttachment } from './store-attachment.ts'
import { createTakeAsset } from './take-asset.ts'
import { createTakeProfile } from './take-profile.ts'
import { createTakeSegment } from './take-segment.ts'

type TakeAttachment = (kind: AttachmentKind, arrived: ArrivedAttachment) => Promise<IntakeReceipt>

const lanes = { replay: 'replay', asset: 'replay', profile: 'profile' } as const

export function createTakeAttachment(parts: TakeParts & Pick<IntakeServices, 'config'>): TakeAttachment {
  const { spool, outcomes, quotas, now } = parts.intake
  const storeAttachment = createStoreAttachment(parts.intake)
  const takes = {
    replay: createTakeSegment(parts, createSessionSizes(parts.config.replaySessionSize), storeAttachment),
    profile: createTakeProfile(parts, storeAttachment),
    asset: createTakeAsset(storeAttachment),
  }
  return async (kind, arrived) => {
    const { environment, source, sentAt, waited = 0 } = arrived
    const count = (reason: string) =>
      outcomes.count({ environmentId: environment.id, kind, source, reason }, 1)
    requireQuota(parts.intake, environment.id, source)
    spool.requireRoom(lanes[kind], 0)
    const arrivedAt = now()
    const ageMaximum = arrived.isBackfill ? limits.backfillAgeMaximum : limits.eventAgeMaximum + waited
    const given = {
      ...arrived,
      offset: clockOffset({ arrivedAt, sentAt }),
      arrival: { arrivedAt, ageMaximum },
    }
    try {
      const taken = await takes[kind](given)
      const { receipt, sizeBytes } = taken
      if (receipt.accepted > 0) quotas.add(environment.id, sizeBytes)
      // Imported history was not used today.
      if (!arrived.isBackfill) meterAttachment(parts.intake.usage, { environment, kind }, taken)
      count(receipt.repeated ? 'repeated' : (receipt.dropped[0]?.reason ?? 'accepted'))
      return receipt
    } catch (error) {
      // After an early refusal: an unread rest of the body would block the next request on the connection.
      arrived.body.stream.resume()
      // Retryable errors are not counted; the others are counted like dropped events.
      const reason = error instanceof Problem ? reasonOf(error) : undefined
      if (reason !== undefined) count(reason)
      throw error
    }
  }
}
