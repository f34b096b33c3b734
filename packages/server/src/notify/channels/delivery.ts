import type { Delivery, DeliveryAttempt, DeliverySummary } from '@telltale/core/contract/channels'
import type { Static } from 'typebox'
import { publicOrigin } from '../../access/public-origin.ts'
import type { Services } from '../../platform/services.ts'
import {
  type AttemptRow,
  type ChannelRow,
  type DeliveryRow,
  findAttempts,
  findLastAttempts,
} from './queries.ts'
import { renderBody } from './render.ts'

function toAttempt({
  id,
  at,
  duration,
  status,
  failure,
  answer,
}: AttemptRow): Static<typeof DeliveryAttempt> {
  return { id, at: at.toISOString(), duration, status, failure, answer }
}

export function toDeliverySummary(
  row: DeliveryRow,
  last: AttemptRow | undefined,
): Static<typeof DeliverySummary> {
  const { id, noticeId, event, notice, state, tries } = row
  return {
    id,
    noticeId,
    event,
    summary: notice.summary,
    state,
    tries,
    nextAt: state === 'waiting' ? row.nextAt.toISOString() : null,
    createdAt: row.createdAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
    lastAttempt: last === undefined ? null : toAttempt(last),
  }
}

export async function describeDelivery(
  services: Pick<Services, 'db' | 'config'>,
  channel: ChannelRow,
  row: DeliveryRow,
): Promise<Static<typeof Delivery>> {
  const attempts = await findAttempts(services.db, row.id)
  return {
    ...toDeliverySummary(row, attempts[0]),
    body: renderBody(channel.kind, row.notice, await publicOrigin(services)),
    attempts: attempts.map(toAttempt),
  }
}

export async function toDeliverySummaries(db: Services['db'], rows: readonly DeliveryRow[]) {
  const last = await findLastAttempts(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({ id: row.id, item: toDeliverySummary(row, last.get(row.id)) }))
}
