// Notes when a running experiment no longer gets users, and when it gets them again: once for each, whatever the reason. On
// any number of servers: each is checked again under the lock of its project.

import { eq } from 'drizzle-orm'
import type { AuditActor } from '../../platform/engines/postgres/audit-schema.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { experiments } from '../../platform/engines/postgres/experiment-schema.ts'
import type { Services } from '../../platform/services.ts'
import { experimentChange } from './experiment.ts'
import { findUnnoted, isInterrupted, lockExperiment, type PlacedExperiment } from './queries.ts'

const watch: AuditActor = { kind: 'system', id: null, name: 'schedule' }

export async function noteInterruptions({
  db,
  clock,
  log,
}: Pick<Services, 'db' | 'clock' | 'log'>): Promise<void> {
  for (const { row } of await findUnnoted(db)) {
    try {
      await note(db, { actor: watch, requestId: null, now: clock() }, row)
    } catch (error) {
      log.warn({ err: error, experiment: row.id }, 'an interrupted experiment could not be noted')
    }
  }
}

const note = change(async ({ db, now }, ref: { projectId: string; id: string }) => {
  const before = await lockExperiment(db, ref)
  const [is, was] = [isInterrupted(before), before.row.interruptedAt !== null]
  if (before.row.state !== 'running' || is === was) return { reply: null, changes: [] }
  const set = { interruptedAt: is ? now : null }
  await db.update(experiments).set(set).where(eq(experiments.id, before.row.id))
  const after = { ...before, row: { ...before.row, ...set } }
  return {
    reply: null,
    changes: experimentChange(is ? 'interrupt' : 'resume', { before, after, reason: reasonOf(before) }),
  }
})

function reasonOf({ flag, splitRemoved, flagOff, goneVariations }: PlacedExperiment): string | undefined {
  if (flag.archivedAt !== null) return `The flag ${flag.key} is archived.`
  if (splitRemoved) return `The flag ${flag.key} no longer has its split.`
  if (flagOff) return `The flag ${flag.key} is off.`
  if (goneVariations.length === 0) return undefined
  return `No new users get ${goneVariations.join(', ')}.`
}
