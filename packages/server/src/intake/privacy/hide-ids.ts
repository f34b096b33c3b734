// Replaces the IDs of a user by pseudonyms in the history that the control plane keeps: the audit log, and
// notifications that were sent. Actors, actions and times stay.

import { auditEvent } from '@telltale/core/notices/notice'
import { isObject } from '@telltale/core/telemetry/json'
import { and, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import { channels, deliveries, deliveryAttempts } from '../../platform/engines/postgres/alert-schema.ts'
import { type AuditChange, auditEntries } from '../../platform/engines/postgres/audit-schema.ts'
import type { Transaction } from '../../platform/engines/postgres/open.ts'
import { pseudonymOf } from './erasure.ts'

interface Hidden {
  projectId: string
  environmentId: string
  ids: readonly string[]
}

export async function hideIds(db: Transaction, { projectId, environmentId, ids }: Hidden): Promise<void> {
  if (ids.length === 0) return
  const isNamed = new Set(ids)
  await allowAuditChange(db)
  const entries = await db
    .select({ id: auditEntries.id, changes: auditEntries.changes })
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.projectId, projectId),
        // Segments belong to no environment.
        or(isNull(auditEntries.environmentId), eq(auditEntries.environmentId, environmentId)),
        quotesOneOf(sql`${auditEntries.changes}::text`, ids),
      ),
    )
  for (const { id, changes } of entries) {
    const hidden = hideIn(changes, isNamed)
    if (hidden !== undefined)
      await db.update(auditEntries).set({ changes: hidden }).where(eq(auditEntries.id, id))
  }
  // In another project, the same ID names another user.
  const ofProject = db.select({ id: channels.id }).from(channels).where(eq(channels.projectId, projectId))
  const quotes = and(
    inArray(deliveries.channelId, ofProject),
    quotesOneOf(sql`${deliveries.notice}::text`, ids),
  )
  // A batch of the audit log that has not arrived is queued again, with what the log has now.
  await db.delete(deliveries).where(and(eq(deliveries.event, auditEvent), quotes))
  const sent = await db
    .select({ id: deliveries.id, notice: deliveries.notice })
    .from(deliveries)
    .where(quotes)
  for (const { id, notice } of sent) {
    const hidden = hideIn(notice.changes, isNamed)
    if (hidden === undefined) continue
    await db
      .update(deliveries)
      .set({ notice: { ...notice, changes: hidden } })
      .where(eq(deliveries.id, id))
    await forgetAnswers(db, [id])
  }
}

const quotesOneOf = (text: SQL, ids: readonly string[]) =>
  sql`EXISTS (SELECT FROM jsonb_array_elements_text(${JSON.stringify(ids.map((id) => JSON.stringify(id)))}::jsonb) AS given(id) WHERE position(given.id in ${text}) > 0)`

/** Applies until the end of the transaction. Otherwise the audit log is append-only. */
export async function allowAuditChange(db: Transaction): Promise<void> {
  await db.execute(sql`SELECT set_config('telltale.erasing', 'on', true)`)
}

/** A webhook receiver may have echoed the request. */
export async function forgetAnswers(db: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db
    .update(deliveryAttempts)
    .set({ answer: '' })
    .where(inArray(deliveryAttempts.deliveryId, [...ids]))
}

/** Shorter IDs also occur as ordinary words: they are replaced only where a targeting key is expected. */
const rareLength = 4

/** Undefined when it contains none of them. */
function hideIn(changes: readonly AuditChange[], isNamed: ReadonlySet<string>): AuditChange[] | undefined {
  let isHidden = false
  const hide = (value: unknown, isKey: boolean): unknown => {
    if (typeof value === 'string') {
      if (!isNamed.has(value) || (!isKey && value.length < rareLength)) return value
      isHidden = true
      return pseudonymOf([value])
    }
    if (Array.isArray(value)) return value.map((one: unknown) => hide(one, isKey))
    if (!isObject(value)) return value
    const isOfKey = isKey || value.attribute === 'targetingKey'
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, hide(one, isOfKey)]))
  }
  const result = changes.map((one) => {
    const isKey = one.pointer.endsWith('/targetingKey')
    return {
      ...one,
      ...('before' in one && { before: hide(one.before, isKey) }),
      ...('after' in one && { after: hide(one.after, isKey) }),
    }
  })
  return isHidden ? result : undefined
}
