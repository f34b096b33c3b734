import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import type { createDeploy as createDeployCall } from '@telltale/core/contract/deploys'
import { and, eq } from 'drizzle-orm'
import { v7 as newId } from 'uuid'
import { change } from '../../platform/engines/postgres/change.ts'
import { deploys } from '../../platform/engines/postgres/deploy-schema.ts'
import { readInstant } from '../../platform/http/instant.ts'
import type { DeployRow } from './queries.ts'

export interface DeployPlace {
  project: { id: string; key: string }
  environment: { id: string; key: string }
}

interface Creation extends DeployPlace {
  deploy: BodyOf<typeof createDeployCall>
}

/** The first report of a version at a time wins. */
export const createDeploy = change(async ({ db, now, actor }, { project, environment, deploy }: Creation) => {
  const { version, author = null, link = null, commits = [] } = deploy
  const at = deploy.at === undefined ? now : readInstant(deploy.at, '/at')
  const row: DeployRow = {
    id: newId(),
    environmentId: environment.id,
    version,
    at,
    author,
    link,
    commits,
    reportedBy: actor.name,
    createdAt: now,
  }
  const inserted = await db.insert(deploys).values(row).onConflictDoNothing().returning()
  if (inserted.length === 0) {
    const isSame = and(
      eq(deploys.environmentId, environment.id),
      eq(deploys.at, at),
      eq(deploys.version, version),
    )
    const [first] = await db.select().from(deploys).where(isSame)
    return { reply: toDeploy(first ?? row), changes: [] }
  }
  return {
    reply: toDeploy(row),
    changes: [
      {
        action: 'deploy.create',
        entity: { kind: 'deploy', id: row.id, name: version },
        project,
        environment,
        after: { version, at: at.toISOString(), author, link, commits: commits.length },
      },
    ],
  }
})

export function toDeploy(row: DeployRow): ReplyOf<typeof createDeployCall> {
  const { id, version, at, author, link, commits, reportedBy } = row
  return { id, version, at: at.toISOString(), author, link, commits, reportedBy }
}
