import { createHash } from 'node:crypto'
import type { Erasure } from '@telltale/core/contract/privacy'
import { limits } from '@telltale/core/limits'
import type { Static } from 'typebox'
import type { erasures } from '../../platform/engines/postgres/privacy-schema.ts'
import { type Holders, remainsOf } from './remains.ts'

export type ErasureRow = typeof erasures.$inferSelect

/** An erasure in the API's format. */
export function toErasure(row: ErasureRow, holders: Holders): Static<typeof Erasure> {
  const { erasedAt, subject } = row
  return {
    id: row.id,
    person: row.person,
    state: erasedAt === null ? 'waiting' : subject === null ? 'closed' : 'erased',
    requestedBy: row.requestedBy,
    requestedAt: row.requestedAt.toISOString(),
    erasedAt: erasedAt?.toISOString() ?? null,
    checkedAt: row.checkedAt?.toISOString() ?? null,
    offDiskAt: row.offDiskAt?.toISOString() ?? null,
    blockedUntil: row.blockedUntil.toISOString(),
    remains: remainsOf(row, holders),
    tables: Object.entries(row.rows).map(([table, rows]) => ({ table, rows })),
  }
}

export function addRows(one: Record<string, number>, other: Record<string, number>): Record<string, number> {
  const sum = { ...one }
  for (const [table, rows] of Object.entries(other)) sum[table] = (sum[table] ?? 0) + rows
  return sum
}

const shownCharacters = 12

/** With the IDs, the entry can be found; the IDs cannot be derived from the entry. */
export function pseudonymOf(ids: readonly string[]): string {
  return `sha256 ${createHash('sha256').update(ids.join('\0')).digest('hex').slice(0, shownCharacters)}…`
}

const minute = 60_000
const hour = 60 * minute

/** After a minute the spool has shipped its contents; then rarely, until no late data can arrive any more. */
export function nextSweep({ requestedAt, blockedUntil }: ErasureRow, now: Date): Date {
  const pause = now.getTime() - requestedAt.getTime() < hour ? limits.erasureSweep : hour
  return new Date(Math.min(now.getTime() + pause, Math.max(blockedUntil.getTime(), now.getTime())))
}
