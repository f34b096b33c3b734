import { eq } from 'drizzle-orm'
import { change } from '../../platform/engines/postgres/change.ts'
import { deploys } from '../../platform/engines/postgres/deploy-schema.ts'
import type { DeployPlace } from './create-deploy.ts'
import { getDeploy } from './queries.ts'

export const deleteDeploy = change(
  async ({ db }, { id, project, environment }: DeployPlace & { id: string }) => {
    const { version, at } = await getDeploy(db, { environmentId: environment.id, id })
    await db.delete(deploys).where(eq(deploys.id, id))
    return {
      reply: null,
      changes: [
        {
          action: 'deploy.delete',
          entity: { kind: 'deploy', id, name: version },
          project,
          environment,
          before: { version, at: at.toISOString() },
        },
      ],
    }
  },
)
