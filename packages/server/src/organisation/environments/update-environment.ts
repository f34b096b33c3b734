import { isDeepStrictEqual } from 'node:util'
import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import { change } from '../../platform/engines/postgres/change.ts'
import { environments } from '../../platform/engines/postgres/schema.ts'
import { auditedEnvironment, toEnvironment } from './environment.ts'
import { lockEnvironment } from './queries.ts'
import { mergeSettings, type SettingsDraft } from './settings.ts'

interface EnvironmentUpdate {
  project: { id: string; key: string }
  env: string
  draft: SettingsDraft
  ifMatch: number | undefined
}

/** Changes settings; fields missing from the draft keep their values. */
export const updateEnvironment = change(
  async ({ db, now }, { project, env, draft, ifMatch }: EnvironmentUpdate) => {
    const before = await lockEnvironment(db, { projectId: project.id, key: env })
    if (before.managed) throw problem('managed')
    if (ifMatch !== undefined && ifMatch !== before.version) {
      throw problem('version-conflict', { current: toEnvironment(before) })
    }
    const merged = mergeSettings(before, draft, now)
    if (isDeepStrictEqual(before, merged)) return { reply: toEnvironment(before), changes: [] }

    const after = { ...merged, version: before.version + 1 }
    await db.update(environments).set(after).where(eq(environments.id, before.id))
    return {
      reply: toEnvironment(after),
      changes: [
        {
          action: 'environment.update',
          entity: { kind: 'environment', id: before.id, name: before.key },
          project,
          environment: before,
          before: auditedEnvironment(before),
          after: auditedEnvironment(after),
        },
      ],
    }
  },
)
