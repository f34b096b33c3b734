import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import { lockProject } from '../../access/find-project.ts'
import { auditedProject } from '../../organisation/projects/project.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { projects } from '../../platform/engines/postgres/schema.ts'

/** Holds from the next night on. The setup file knows no budget: of what it manages, this stays with people. */
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
