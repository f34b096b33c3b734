// An error issue keeps the message of one event. When that event belonged to an erased user, it is replaced by the
// message of another user's newest event, or removed; also in the audit log, notifications and evidence that quote it.

import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'
import { alertIncidents, deliveries } from '../../platform/engines/postgres/alert-schema.ts'
import { auditEntries } from '../../platform/engines/postgres/audit-schema.ts'
import { issueGroups, issues } from '../../platform/engines/postgres/issue-schema.ts'
import type { Db, Transaction } from '../../platform/engines/postgres/open.ts'
import { rolloutEvidence } from '../../platform/engines/postgres/rollout-schema.ts'
import { storable } from '../../platform/engines/postgres/storable.ts'
import { rowsOf } from '../retention/find-past.ts'
import { listsOf, uuidLiteral } from '../retention/id-lists.ts'
import type { Traces } from './find-traces.ts'
import { allowAuditChange, forgetAnswers } from './hide-ids.ts'
import { titleOf } from './issue-title.ts'

export const erasedMessage = '(message erased)'

interface GroupMessages {
  group: string
  messages: string[]
}

/** Before the events are deleted. */
export async function retitleIssues(
  { db, telemetry }: { db: Db; telemetry: Pick<Telemetry, 'read'> },
  environmentId: string,
  { sessions, events }: Pick<Traces, 'sessions' | 'events'>,
): Promise<void> {
  const conditions = [
    ...listsOf(sessions, uuidLiteral).map((list) => `session_id IN (${list})`),
    ...listsOf(events, uuidLiteral).map((list) => `event_id IN (${list})`),
  ]
  for (const own of conditions) {
    const isError = `${rowsOf(environmentId)} AND kind = 'error'`
    const deleted = await telemetry.read<GroupMessages>(
      `SELECT toString(err_group) AS group, groupUniqArray(1000)(err_message) AS messages FROM events WHERE ${isError} AND ${own} GROUP BY err_group`,
    )
    if (deleted.length === 0) continue
    const groups = deleted.map(({ group }) => group).join(', ')
    const left = await telemetry.read<{ group: string; message: string }>(
      `SELECT toString(err_group) AS group, argMax(err_message, ts) AS message FROM events WHERE ${isError} AND NOT (${own}) AND err_group IN (${groups}) GROUP BY err_group`,
    )
    const messageOf = new Map(left.map(({ group, message }) => [group, message]))
    await db.transaction((transaction) => retitle(transaction, environmentId, { deleted, messageOf }))
  }
}

async function retitle(
  db: Transaction,
  environmentId: string,
  { deleted, messageOf }: { deleted: readonly GroupMessages[]; messageOf: ReadonlyMap<string, string> },
): Promise<void> {
  const deletedOf = new Map(deleted.map(({ group, messages }) => [group, new Set(messages.map(storable))]))
  const rows = await db
    .select({ group: issueGroups.group, issue: issues })
    .from(issueGroups)
    .innerJoin(issues, eq(issues.id, issueGroups.issueId))
    .where(
      and(eq(issueGroups.environmentId, environmentId), inArray(issueGroups.group, [...deletedOf.keys()])),
    )
  for (const { group, issue } of rows) {
    if (issue.message === '' || deletedOf.get(group)?.has(issue.message) !== true) continue
    const message = storable(messageOf.get(group) ?? erasedMessage)
    if (message === issue.message) continue
    await db.update(issues).set({ message }).where(eq(issues.id, issue.id))
    const texts = [
      [titleOf(issue), titleOf({ ...issue, message })],
      [issue.message, message],
    ] as const
    for (const [before, after] of texts) await replaceQuotes(db, environmentId, { before, after })
  }
}

async function replaceQuotes(
  db: Transaction,
  environmentId: string,
  { before, after }: { before: string; after: string },
): Promise<void> {
  const inJson = (text: string) => JSON.stringify(text).slice(1, -1)
  const json = { before: inJson(before), after: inJson(after) }
  await allowAuditChange(db)
  await db
    .update(auditEntries)
    .set({
      entityName: sql`replace(${auditEntries.entityName}, ${before}, ${after})`,
      changes: sql`replace(${auditEntries.changes}::text, ${json.before}, ${json.after})::jsonb`,
    })
    .where(
      and(
        eq(auditEntries.environmentId, environmentId),
        eq(auditEntries.entityKind, 'issue'),
        sql`(position(${before} in ${auditEntries.entityName}) > 0 OR position(${json.before} in ${auditEntries.changes}::text) > 0)`,
      ),
    )
  await db
    .update(alertIncidents)
    .set({ summary: sql`replace(${alertIncidents.summary}, ${before}, ${after})` })
    .where(sql`position(${before} in ${alertIncidents.summary}) > 0`)
  const sent = await db
    .update(deliveries)
    .set({ notice: sql`replace(${deliveries.notice}::text, ${json.before}, ${json.after})::jsonb` })
    .where(sql`position(${json.before} in ${deliveries.notice}::text) > 0`)
    .returning({ id: deliveries.id })
  await forgetAnswers(
    db,
    sent.map(({ id }) => id),
  )
  await db
    .update(rolloutEvidence)
    .set({ found: sql`replace(${rolloutEvidence.found}::text, ${json.before}, ${json.after})::jsonb` })
    .where(sql`position(${json.before} in ${rolloutEvidence.found}::text) > 0`)
}
