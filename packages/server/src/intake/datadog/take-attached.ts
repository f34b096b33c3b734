// Steps shared by the client's segments and profiles: the quota of the environment, room in the spool, and counting the
// outcome. Dropped ones are answered with an error, except when the environment's settings drop them: the client cannot
// fix that.

import { Problem, problem } from '@telltale/core/errors'
import { reasonOf, type TakenAttachment } from '../attachments/attachment.ts'
import { meterAttachment } from '../attachments/meter-attachment.ts'
import { requireQuota } from '../events/within-limits.ts'
import { type DatadogParts, type DatadogRequest, datadogSource, type TakeRequest } from './request.ts'

const wanted = new Set<string>([
  'sampled_out',
  'paused_by_quota',
  'sampled_by_quota',
  'sampled_in_spike',
  'erased_person',
  'unknown_kind',
])

export function createTakeAttached(
  { intake }: Pick<DatadogParts, 'intake'>,
  kind: 'replay' | 'profile',
  take: (request: DatadogRequest, arrivedAt: number) => Promise<TakenAttachment>,
): TakeRequest {
  const { spool, outcomes, quotas, now } = intake
  return async (request) => {
    const { environment } = request
    const environmentId = environment.id
    const count = (reason: string) =>
      outcomes.count({ environmentId, kind, source: datadogSource, reason }, 1)
    requireQuota(intake, environmentId, datadogSource)
    spool.requireRoom(kind, 0)
    try {
      const taken = await take(request, now())
      const { receipt, sizeBytes } = taken
      const reason = receipt.dropped[0]?.reason
      if (receipt.accepted > 0) quotas.add(environmentId, sizeBytes)
      meterAttachment(intake.usage, { environment, kind }, taken)
      if (reason !== undefined && !wanted.has(reason)) throw new Dropped(reason)
      count(receipt.repeated ? 'repeated' : (reason ?? 'accepted'))
    } catch (error) {
      const reason =
        error instanceof Dropped ? error.reason : error instanceof Problem ? reasonOf(error) : undefined
      if (reason !== undefined) count(reason)
      if (error instanceof Dropped) throw problem('invalid-request', `It was not stored: ${error.reason}.`)
      throw error
    }
  }
}

class Dropped extends Error {
  readonly reason: string

  constructor(reason: string) {
    super(reason)
    this.reason = reason
  }
}
