// The result of evaluating an alert: its state, its incidents and its notifications, in one transaction.

import { firingText, noDataText, recoveredText } from '@telltale/core/alerts/alert-text'
import type { MeasureRule } from '@telltale/core/contract/alerts'
import { limits } from '@telltale/core/limits'
import { type AlertNews, alertAfter, newAlert } from '@telltale/core/states/alert'
import { eq } from 'drizzle-orm'
import { v7 as newId } from 'uuid'
import { alertIncidents, alertRules } from '../../platform/engines/postgres/alert-schema.ts'
import { type ChangeContext, change, type EntityChange } from '../../platform/engines/postgres/change.ts'
import { alertChange } from './alert.ts'
import type { Measured } from './measure-window.ts'
import {
  type AlertRef,
  type AlertRow,
  findOpenIncident,
  type IncidentRow,
  lockAlert,
  type PlacedAlert,
} from './queries.ts'

const minute = 60_000

interface Look {
  ref: AlertRef
  /** Of the rule that was measured: the result is discarded if the rule has changed since. */
  version: number
  measured: Measured
}

export const keepLook = change(async (context, { ref, version, measured }: Look) => {
  const { db, now } = context
  const before = await lockAlert(db, ref)
  const { rule } = before.row
  if (before.row.version !== version || rule.kind !== 'measure') return { reply: undefined, changes: [] }

  const isMuted = before.row.mutedUntil !== null && before.row.mutedUntil > now
  const { standing, news } = alertAfter(before.row.standing ?? newAlert(now.getTime()), measured.reading, {
    policy: {
      for: rule.forMinutes * minute,
      // Not announced while muted; if the data is still missing afterwards, it is announced then.
      whenNoData: isMuted ? 'quiet' : rule.whenNoData,
      noDataAfter: limits.alertNoDataAfter,
    },
    now: now.getTime(),
  })
  const { value, before: compared, change: share, events, why } = measured
  const row: AlertRow = {
    ...before.row,
    standing,
    state: standing.state,
    seen: { at: now.toISOString(), value, before: compared, change: share, events, why },
    nextAt: new Date(now.getTime() + limits.alertInterval),
    leasedUntil: null,
  }
  await db.update(alertRules).set(row).where(eq(alertRules.id, row.id))
  const after = { ...before, row }
  const reported = await keepIncident(context, { after, rule, measured, news, isMuted })
  return {
    reply: undefined,
    changes:
      reported === undefined
        ? []
        : [incidentChange({ before, after, rule, measured, incident: reported, isMuted })],
  }
})

interface Step {
  after: PlacedAlert
  rule: MeasureRule
  measured: Measured
  news: AlertNews | undefined
  isMuted: boolean
}

interface IncidentNews {
  news: AlertNews
  /** It began while the alert was muted. */
  isLate?: boolean
  /** Its beginning was never announced, so its end is not either. */
  isSilent?: boolean
}

/** Stores the incident and returns the notification to send. */
async function keepIncident(
  { db, now }: ChangeContext,
  { after, rule, measured, news, isMuted }: Step,
): Promise<IncidentNews | undefined> {
  const { value, change: share } = measured
  if (news === 'fire') {
    const summary = firingText({ name: after.row.name, ...rule, value, change: share })
    const incident = { value, change: share, worst: value, summary, isMuted }
    await db
      .insert(alertIncidents)
      .values({ id: newId(), alertId: after.row.id, startedAt: now, ...incident })
    return { news }
  }
  const open = await findOpenIncident(db, after.row.id)
  if (open === undefined) return news && { news }
  const write = (set: Partial<IncidentRow>) =>
    db.update(alertIncidents).set(set).where(eq(alertIncidents.id, open.id))
  if (news === 'recover') {
    await write({ endedAt: now, ending: 'recovered' })
    return { news, isSilent: open.isMuted }
  }
  const isLate = open.isMuted && !isMuted && measured.reading === 'past'
  await write({ worst: worse(rule, open.worst, value), ...(isLate && { isMuted: false }) })
  if (isLate) return { news: 'fire', isLate }
  return news && { news }
}

function worse({ condition }: MeasureRule, one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other
  return condition.is === 'above' ? Math.max(one, other) : Math.min(one, other)
}

const verbs = { fire: 'fire', recover: 'recover', 'lose-data': 'lose-data' } as const

function incidentChange({
  before,
  after,
  rule,
  measured,
  incident,
  isMuted,
}: Omit<Step, 'news'> & { before: PlacedAlert; incident: IncidentNews }): EntityChange {
  const { name, channels } = after.row
  const { value, before: compared, change: share, events, why } = measured
  const summaries = {
    fire: () => firingText({ name, ...rule, value, change: share }),
    recover: () => recoveredText({ name, query: rule.query, value }),
    'lose-data': () => noDataText({ name, why: why ?? 'failed' }),
  }
  return {
    ...alertChange(verbs[incident.news], { before, after }),
    news: {
      summary: `${summaries[incident.news]()} (${after.environment.key})`,
      data: { rule, value, before: compared, change: share, events, why, late: incident.isLate === true },
      to: channels,
      isMuted: isMuted || incident.isSilent === true,
    },
  }
}
