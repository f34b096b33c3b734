import type { ScheduledChange } from '@telltale/core/contract/scheduled-changes'
import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import type { EntityChange } from '../../platform/engines/postgres/change.ts'
import { scheduledChanges } from '../../platform/engines/postgres/change-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import type { PlacedSchedule, ScheduledChangeRow } from './queries.ts'

/** A scheduled change as the API returns it. */
export function toScheduledChange({ scheduled, env, flag }: PlacedSchedule): ScheduledChange {
  return {
    id: scheduled.id,
    env,
    flag,
    state: scheduled.state,
    at: scheduled.at.toISOString(),
    change: scheduled.patch,
    reason: scheduled.reason,
    author: { id: scheduled.authorId, name: scheduled.author.name },
    failure: scheduled.failure,
    appliedVersion: scheduled.appliedVersion,
    version: scheduled.version,
    createdAt: scheduled.createdAt.toISOString(),
    endedAt: scheduled.endedAt?.toISOString() ?? null,
  }
}

export function scheduleChange(
  action: 'create' | 'update' | 'cancel' | 'apply' | 'fail',
  project: { id: string; key: string },
  { before, after }: { before?: PlacedSchedule; after: PlacedSchedule },
): EntityChange {
  const { scheduled, env, flag } = after
  return {
    action: `scheduled-change.${action}`,
    entity: { kind: 'scheduled-change', id: scheduled.id, name: flag },
    project,
    environment: { id: scheduled.environmentId, key: env },
    ...(before === undefined ? {} : { before: audited(before) }),
    after: audited(after),
  }
}

function audited(placed: PlacedSchedule): object {
  const { state, flag, at, change, reason, author, failure, appliedVersion } = toScheduledChange(placed)
  return { state, flag, at, change, reason, author, failure, appliedVersion }
}

/** Throws `wrong-state` if it was applied, failed or cancelled. */
export function refuseEnded({ scheduled }: PlacedSchedule): void {
  if (scheduled.state !== 'pending') {
    throw problem('wrong-state', `The scheduled change is ${scheduled.state}.`)
  }
}

/** Writes the next version of the row. */
export async function storeSchedule(
  db: Queryable,
  before: PlacedSchedule,
  set: Partial<ScheduledChangeRow>,
): Promise<PlacedSchedule> {
  const scheduled = { ...before.scheduled, ...set, version: before.scheduled.version + 1 }
  await db.update(scheduledChanges).set(scheduled).where(eq(scheduledChanges.id, scheduled.id))
  return { ...before, scheduled }
}
