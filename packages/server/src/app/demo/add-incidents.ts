// Adds incidents of the demo's alerts in its history, and the notifications of its chat: computed from the
// stored events by the code that judges a rule over past days. Nothing is sent.

import { firingText, recoveredText } from '@telltale/core/alerts/alert-text'
import type { MeasureRule } from '@telltale/core/contract/alerts'
import { type Notice, pathOf } from '@telltale/core/notices/notice'
import { stepLength } from '@telltale/core/query/time-buckets'
import { eq } from 'drizzle-orm'
import { v7 as newId } from 'uuid'
import { measurePast } from '../../notify/alerts/measure-past.ts'
import { findAlerts, findIncidents, type PlacedAlert } from '../../notify/alerts/queries.ts'
import {
  alertIncidents,
  channels,
  deliveries,
  deliveryAttempts,
} from '../../platform/engines/postgres/alert-schema.ts'
import type { Db, Transaction } from '../../platform/engines/postgres/open.ts'
import type { Services } from '../../platform/services.ts'

export async function addIncidents(
  services: Pick<Services, 'db' | 'telemetry' | 'clock'>,
  projectId: string,
): Promise<void> {
  const { db } = services
  for (const placed of await findAlerts(db, projectId)) {
    const { row, environment } = placed
    const { rule } = row
    const isReported = (await findIncidents(db, row.id, { before: undefined, count: 1 })).length > 0
    if (rule.kind !== 'measure' || isReported) continue
    const past = await measurePast(services, { environment, rule })
    const fired = past.firings.flatMap((firing) => incidentOf(firing, past, rule))
    if (fired.length > 0) await keep(db, { placed, rule, fired })
  }
}

interface Fired {
  from: Date
  to: Date
  value: number | null
  change: number | null
  worst: number | null
  after: number | null
}

type Past = Awaited<ReturnType<typeof measurePast>>

/** An incident that is still open is left to the alert itself. */
function incidentOf(firing: Past['firings'][number], { points }: Past, rule: MeasureRule): Fired[] {
  if (firing.to === null) return []
  const length = stepLength[rule.window]
  const [from, to] = [Date.parse(firing.from), Date.parse(firing.to)]
  const during = points.filter(({ at }) => Date.parse(at) + length >= from && Date.parse(at) + length < to)
  const values = during.flatMap(({ value }) => (value === null ? [] : [value]))
  const [first] = during
  const worst = rule.condition.is === 'above' ? Math.max(...values) : Math.min(...values)
  const after = points.find(({ at }) => Date.parse(at) + length === to)?.value ?? null
  const reported = { value: first?.value ?? null, change: first?.change ?? null, after }
  return [{ from: new Date(from), to: new Date(to), worst: values.length === 0 ? null : worst, ...reported }]
}

interface Kept {
  placed: PlacedAlert
  rule: MeasureRule
  fired: readonly Fired[]
}

async function keep(db: Db, { placed, rule, fired }: Kept): Promise<void> {
  const { id: alertId, name } = placed.row
  await db.transaction(async (transaction) => {
    for (const { from, to, value, change, worst, after } of fired) {
      const summary = firingText({ name, ...rule, value, change })
      const when = { startedAt: from, endedAt: to, ending: 'recovered' as const }
      await transaction
        .insert(alertIncidents)
        .values({ id: newId(), alertId, ...when, value, change, worst, summary, path: null, isMuted: false })
      const back = recoveredText({ name, query: rule.query, value: after })
      await notifyChannels(transaction, placed, noticeOf(placed, { event: 'alert.fired', at: from, summary }))
      await notifyChannels(
        transaction,
        placed,
        noticeOf(placed, { event: 'alert.recovered', at: to, summary: back }),
      )
    }
  })
}

type Happened = { event: 'alert.fired' | 'alert.recovered'; at: Date; summary: string }

function noticeOf({ row, environment, project }: PlacedAlert, { event, at, summary }: Happened): Notice {
  const reported = {
    event,
    actor: { kind: 'system', id: null, name: 'alerts' },
    entity: { kind: 'alert', id: row.id, name: row.name },
    project: project.key,
    environment: environment.key,
  }
  const nothing = { reason: null, changes: [], changesOmitted: false }
  return {
    ...reported,
    ...nothing,
    id: newId(),
    at: at.toISOString(),
    summary: `${summary} (${environment.key})`,
    path: pathOf(reported),
    data: { rule: row.rule },
  }
}

const answered = 180

async function notifyChannels(transaction: Transaction, { row }: PlacedAlert, notice: Notice): Promise<void> {
  const at = new Date(notice.at)
  for (const channelId of row.channels) {
    const id = newId()
    const delivery = { id, channelId, noticeId: notice.id, event: notice.event, notice }
    const done = { state: 'delivered', tries: 1, nextAt: at, createdAt: at, endedAt: at } as const
    await transaction.insert(deliveries).values({ ...delivery, ...done })
    const attempt = { at, duration: answered, status: 200, failure: null, answer: 'ok' }
    await transaction.insert(deliveryAttempts).values({ id: newId(), deliveryId: id, ...attempt })
    await transaction.update(channels).set({ lastDeliveredAt: at }).where(eq(channels.id, channelId))
  }
}
