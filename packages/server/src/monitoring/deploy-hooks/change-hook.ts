import { type DeployHook, deployHookPath } from '@telltale/core/contract/deploy-hooks'
import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import { v7 as newId } from 'uuid'
import { lockEnvironment } from '../../organisation/environments/queries.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { deployHooks } from '../../platform/engines/postgres/deploy-hook-schema.ts'
import { newSecret } from '../../platform/http/secret.ts'
import { type DeployHookRow, findHook } from './queries.ts'

const secretPrefix = 'ttd_'

interface HookOf {
  project: { id: string; key: string }
  env: string
}

export function toHook(row: DeployHookRow, site: string): DeployHook {
  const { id, createdBy, createdAt, lastDeliveryAt, lastResult } = row
  return {
    id,
    url: `${site}${deployHookPath}/${id}`,
    createdBy,
    createdAt: createdAt.toISOString(),
    lastDelivery:
      lastDeliveryAt && lastResult ? { at: lastDeliveryAt.toISOString(), result: lastResult } : null,
  }
}

/** A new secret keeps the address: only one end has to be changed. */
export const putDeployHook = change(
  async ({ db, now, actor }, { project, env, site }: HookOf & { site: string }) => {
    const environment = await lockEnvironment(db, { projectId: project.id, key: env })
    const before = await findHook(db, environment.id)
    const secret = newSecret(secretPrefix)
    const row: DeployHookRow = before
      ? { ...before, secret }
      : {
          id: newId(),
          environmentId: environment.id,
          secret,
          createdBy: actor.name,
          createdAt: now,
          lastDeliveryAt: null,
          lastResult: null,
        }
    if (before) await db.update(deployHooks).set({ secret }).where(eq(deployHooks.id, before.id))
    else await db.insert(deployHooks).values(row)
    return {
      reply: { hook: toHook(row, site), secret },
      changes: [
        {
          action: before ? ('deploy-hook.rotate' as const) : ('deploy-hook.create' as const),
          entity: { kind: 'deploy-hook', id: row.id, name: 'Deploy webhook' },
          project,
          environment,
        },
      ],
    }
  },
)

export const deleteDeployHook = change(async ({ db }, { project, env }: HookOf) => {
  const environment = await lockEnvironment(db, { projectId: project.id, key: env })
  const before = await findHook(db, environment.id)
  if (before === undefined) throw problem('not-found', 'The environment has no deploy webhook.')
  await db.delete(deployHooks).where(eq(deployHooks.id, before.id))
  return {
    reply: null,
    changes: [
      {
        action: 'deploy-hook.delete',
        entity: { kind: 'deploy-hook', id: before.id, name: 'Deploy webhook' },
        project,
        environment,
      },
    ],
  }
})
