import type { BodyOf } from '@telltale/core/contract/call'
import type { createQuota as createCall } from '@telltale/core/contract/quotas'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { and, eq, isNull } from 'drizzle-orm'
import { v7 as newId } from 'uuid'
import { lockProject } from '../../access/find-project.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import type { Transaction } from '../../platform/engines/postgres/open.ts'
import { quotas, usageSamplings } from '../../platform/engines/postgres/quota-schema.ts'
import { environments, sdkKeys } from '../../platform/engines/postgres/schema.ts'
import type { QuotaRow } from './queries.ts'
import { quotaTitle } from './quota-text.ts'

type Project = { id: string; key: string }

export const createQuota = change(
  async ({ db, now }, { project, draft }: { project: Project; draft: BodyOf<typeof createCall> }) => {
    await lockProject(db, project.id)
    const { meter, period, most, key = null } = draft
    if (key !== null) await requireKey(db, project.id, key)
    if ((await db.$count(quotas, eq(quotas.projectId, project.id))) >= limits.quotasPerProject)
      throw problem('in-use', `A project has at most ${limits.quotasPerProject} quotas.`)
    const row: QuotaRow = {
      ...{ id: newId(), projectId: project.id, keyId: key, meter, period, most },
      ...{ toldLevel: 'ok', toldPeriod: null, createdAt: now },
    }
    const added = await db.insert(quotas).values(row).onConflictDoNothing().returning({ id: quotas.id })
    if (added.length === 0) throw problem('already-exists', 'This meter has a quota for that period.')
    return {
      reply: { id: row.id },
      changes: [{ action: 'quota.create', entity: entityOf(row), project, after: audited(row) }],
    }
  },
)

export const updateQuota = change(
  async ({ db }, { project, id, most }: { project: Project; id: string; most: number }) => {
    const before = await lockQuota(db, project.id, id)
    const after = { ...before, most }
    await db.update(quotas).set({ most }).where(eq(quotas.id, id))
    return {
      reply: { id },
      changes: [
        {
          action: 'quota.update',
          entity: entityOf(after),
          project,
          before: audited(before),
          after: audited(after),
        },
      ],
    }
  },
)

export const deleteQuota = change(async ({ db, now }, { project, id }: { project: Project; id: string }) => {
  const before = await lockQuota(db, project.id, id)
  await db
    .update(usageSamplings)
    .set({ endedAt: now })
    .where(and(eq(usageSamplings.quotaId, id), isNull(usageSamplings.endedAt)))
  await db.delete(quotas).where(eq(quotas.id, id))
  return {
    reply: null,
    changes: [{ action: 'quota.delete', entity: entityOf(before), project, before: audited(before) }],
  }
})

const entityOf = (row: QuotaRow) => ({
  kind: 'quota',
  id: row.id,
  name: quotaTitle({ quota: row, key: undefined }),
})

const audited = ({ meter, period, most, keyId }: QuotaRow) => ({ meter, period, most, key: keyId })

async function lockQuota(db: Transaction, projectId: string, id: string): Promise<QuotaRow> {
  const [row] = await db
    .select()
    .from(quotas)
    .where(and(eq(quotas.projectId, projectId), eq(quotas.id, id)))
    .for('update')
  if (!row) throw problem('not-found')
  return row
}

async function requireKey(db: Transaction, projectId: string, id: string): Promise<void> {
  const [found] = await db
    .select({ id: sdkKeys.id })
    .from(sdkKeys)
    .innerJoin(environments, eq(environments.id, sdkKeys.environmentId))
    .where(and(eq(sdkKeys.id, id), eq(environments.projectId, projectId)))
  if (!found)
    throw problem('invalid-request', {
      errors: [{ pointer: '/key', message: 'is not a key of this project' }],
    })
}
