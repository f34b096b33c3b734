import { type Notice, pathOf, summaryOf } from '@telltale/core/notices/notice'
import { v7 as newId } from 'uuid'
import { titleOf } from '../../intake/privacy/issue-title.ts'
import type { issues as issueTable } from '../../platform/engines/postgres/issue-schema.ts'
import type { Transaction } from '../../platform/engines/postgres/open.ts'
import { enqueue } from '../../platform/engines/postgres/outbox.ts'
import { getProjectAndEnvironment } from './queries.ts'

interface Noted {
  environmentId: string
  issues: readonly (typeof issueTable.$inferInsert)[]
  now: Date
}

/** Issues first seen longer ago, as in imported history, are not announced. */
const newsFor = 86_400_000

/** Announced to channels only: no member caused them, so the audit log has no entry. */
export async function notifyNewIssues(
  transaction: Transaction,
  { environmentId, issues, now }: Noted,
): Promise<void> {
  const recent = issues.filter(({ firstSeenAt }) => now.getTime() - firstSeenAt.getTime() < newsFor)
  if (recent.length === 0) return
  const { project, environment } = await getProjectAndEnvironment(transaction, environmentId)
  const tellings = recent.map((issue) => {
    const reported = {
      event: 'issue.new',
      actor: { kind: 'system', id: null, name: 'error issues' },
      entity: { kind: 'issue', id: issue.id, name: titleOf(issue) },
      project: project.key,
      environment: environment.key,
    } as const
    const notice: Notice = {
      ...reported,
      id: newId(),
      at: now.toISOString(),
      summary: summaryOf(reported),
      path: pathOf(reported),
      reason: null,
      changes: [],
      changesOmitted: false,
      data: {
        culprit: issue.culprit,
        version: issue.firstSeenVersion,
        firstSeenAt: issue.firstSeenAt.toISOString(),
      },
    }
    return { projectId: project.id, environmentId, notice }
  })
  await enqueue(transaction, tellings)
}
