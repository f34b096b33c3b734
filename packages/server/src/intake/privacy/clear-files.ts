// After a user is deleted from the tables, clears the text from the files of PostgreSQL, of flag delivery and of the
// spool. Once for all pending users: tables can only be rewritten as a whole.

import { limits } from '@telltale/core/limits'
import { and, eq, inArray, isNotNull, isNull } from 'drizzle-orm'
import type { Announcements } from '../../platform/engines/postgres/announcements.ts'
import type { Db } from '../../platform/engines/postgres/open.ts'
import { erasures } from '../../platform/engines/postgres/privacy-schema.ts'
import {
  emptyLogs,
  rewriteTables,
  untilReadersAreGone,
} from '../../platform/engines/postgres/rewrite-files.ts'
import type { Config } from '../../platform/process/config.ts'
import type { Intake } from '../events/intake.ts'

export interface FileSurroundings {
  db: Db
  config: Pick<Config, 'databaseUrl'>
  announcements: Pick<Announcements, 'written'>
  intake: Pick<Intake, 'rotateSpool'>
  clock(): Date
}

/** Tables with text about users, and those in which a team may have entered a user's ID. */
const tables = [
  ...['identities', 'identity_overrides', 'erasures', 'issues', 'audit_entries'],
  ...[
    'deliveries',
    'delivery_attempts',
    'alert_incidents',
    'kept_replays',
    'replay_notes',
    'rollout_evidence',
  ],
  ...['segments', 'flag_configs', 'flag_config_versions', 'change_requests', 'scheduled_changes'],
  ...['alert_rules', 'metrics'],
] as const

export async function clearControlPlane({
  db,
  config,
  announcements,
  clock,
}: FileSurroundings): Promise<void> {
  const waiting = await db
    .select({ id: erasures.id })
    .from(erasures)
    .where(and(isNotNull(erasures.checkedAt), isNull(erasures.clearedAt)))
    .limit(1_000)
  if (waiting.length === 0 || !(await untilReadersAreGone(db))) return
  await announcements.written()
  await rewriteTables(db, tables)
  if (config.databaseUrl === undefined) await emptyLogs(db)
  const ids = waiting.map(({ id }) => id)
  await db.update(erasures).set({ clearedAt: clock() }).where(inArray(erasures.id, ids))
}

/**
 * Every server begins a new file when it is notified of an erasure, and at the latest when a file reaches its maximum
 * age.
 */
export async function clearSpool({ db, config, intake, clock }: FileSurroundings): Promise<void> {
  const waiting = await db
    .select({ id: erasures.id, checkedAt: erasures.checkedAt })
    .from(erasures)
    .where(and(isNotNull(erasures.checkedAt), isNull(erasures.spoolClearedAt)))
    .limit(1_000)
  if (waiting.length === 0) return
  const isGone = await intake.rotateSpool()
  const now = clock()
  if (!(await untilTrue(isGone))) return
  const age = config.databaseUrl === undefined ? 0 : 2 * limits.spoolSegmentAge
  for (const { id, checkedAt } of waiting) {
    if (checkedAt === null || now.getTime() - checkedAt.getTime() < age) continue
    await db.update(erasures).set({ spoolClearedAt: clock() }).where(eq(erasures.id, id))
  }
}

const looks = 20
const pauseBetween = 100

/** Shipping takes a moment; if the store is unavailable, the next run completes it. */
async function untilTrue(isTrue: () => boolean): Promise<boolean> {
  for (let look = 0; look < looks && !isTrue(); look += 1) {
    await new Promise((resolve) => setTimeout(resolve, pauseBetween))
  }
  return isTrue()
}
