import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import { lockEnvironment } from '../../organisation/environments/queries.ts'
import { beginAnew } from '../../organisation/environments/settings.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { environments } from '../../platform/engines/postgres/schema.ts'

interface AaTestRef {
  project: { id: string; key: string }
  env: string
}

/** Ends the current round; the next one starts a new series. Throws `not-found` and `wrong-state`. */
export const restartAaTest = change(async ({ db, now }, { project, env }: AaTestRef) => {
  const before = await lockEnvironment(db, { projectId: project.id, key: env })
  if (before.aaTestSince === null) throw problem('wrong-state', 'A/A tests are off: turn them on first.')
  const begun = beginAnew(before, now)
  await db.update(environments).set(begun).where(eq(environments.id, before.id))
  return {
    reply: null,
    changes: [
      {
        action: 'environment.restart-aa-test',
        entity: { kind: 'environment', id: before.id, name: before.key },
        project,
        environment: before,
        before: { aaTestRound: before.aaTestRound },
        after: { aaTestRound: begun.aaTestRound },
      },
    ],
  }
})
