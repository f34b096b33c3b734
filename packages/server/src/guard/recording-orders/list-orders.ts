import type { ReplyOf } from '@telltale/core/contract/call'
import type { listRecordingOrders } from '@telltale/core/contract/recording-orders'
import type { OrderTarget } from '@telltale/core/recording/chance'
import type { EnvironmentRow } from '../../organisation/environments/queries.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { findPlan } from './queries.ts'

export async function listOrders(
  db: Queryable,
  { id, recordingOrders, samplingReplay, samplingProfile }: EnvironmentRow,
): Promise<ReplyOf<typeof listRecordingOrders>> {
  const sampling = { replay: samplingReplay, profile: samplingProfile }
  const plan = recordingOrders ? await findPlan(db, id) : undefined
  return {
    enabled: recordingOrders,
    plannedAt: plan?.at ?? null,
    sampling,
    base: plan?.base ?? sampling,
    items: (plan?.lacking ?? []).map(({ kind, id: of, name, parts }) => ({
      ...{ kind, id: of, name },
      orders: (plan?.orders ?? [])
        .filter(({ question }) => question.kind === kind && question.id === of)
        .map((order) => ({
          ...shown(order),
          ...{ replay: order.replay, profile: order.profile, cost: order.cost },
        })),
      parts: parts.map(({ target, replay, profile }) => ({ ...shown(target), replay, profile })),
    })),
  }
}

const shown = ({ flag, variation, page, version, device }: OrderTarget) => ({
  flag: flag ?? null,
  variation: variation ?? null,
  page: page ?? null,
  version: version ?? null,
  device: device ?? null,
})
