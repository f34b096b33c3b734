import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import { lockProject } from '../../access/find-project.ts'
import { auditedProject } from '../../organisation/projects/project.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { projects } from '../../platform/engines/postgres/schema.ts'

/** Applies from the next night on. The setup file has no budget setting, so even managed projects set it here. */
export const setBudget = change(async ({ db }, { id, bytes }: { id: string; bytes: number | null }) => {
  const before = await lockProject(db, id)
  if (!before) throw problem('not-found')
  const reply = { budgetBytes: bytes }
  if (before.telemetryBudget === bytes) return { reply, changes: [] }

  const after = { ...before, telemetryBudget: bytes }
  await db.update(projects).set({ telemetryBudget: bytes }).where(eq(projects.id, id))
  return {
    reply,
    changes: [
      {
        action: 'project.budget' as const,
        entity: { kind: 'project', id, name: before.key },
        project: before,
        before: auditedProject(before),
        after: auditedProject(after),
      },
    ],
  }
})
