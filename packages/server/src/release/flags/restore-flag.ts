import { problem } from '@telltale/core/errors'
import type { Grant } from '@telltale/core/rights'
import { eq } from 'drizzle-orm'
import { lockProject } from '../../access/find-project.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { flags } from '../../platform/engines/postgres/schema.ts'
import { checkDraft } from './check-draft.ts'
import { draftOf } from './config-draft.ts'
import { auditedFlag, toFlag } from './flag.ts'
import { findConfigs, getFlag } from './queries.ts'
import { refuseProtectedUse } from './refuse-protected-use.ts'

interface FlagRef {
  project: { id: string; key: string }
  grant: Grant
  key: string
}

/** Restores an archived flag if everything that its configurations refer to still exists. */
export const restoreFlag = change(async ({ db }, { project, grant, key }: FlagRef) => {
  await lockProject(db, project.id)
  const before = await getFlag(db, project.id, key)
  if (before.managed) throw problem('managed')
  if (before.archivedAt === null) return { reply: toFlag(before), changes: [] }
  await refuseProtectedUse(db, before, grant)

  for (const { config } of await findConfigs(db, project.id, { flagIds: [before.id] })) {
    await checkDraft(db, { flag: before, environmentId: config.environmentId, draft: draftOf(config) })
  }
  const after = { ...before, archivedAt: null, version: before.version + 1 }
  await db.update(flags).set(after).where(eq(flags.id, before.id))
  return {
    reply: toFlag(after),
    changes: [
      {
        action: 'flag.restore',
        entity: { kind: 'flag', id: before.id, name: before.key },
        project,
        before: auditedFlag(before),
        after: auditedFlag(after),
      },
    ],
  }
})
