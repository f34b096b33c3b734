import { issueAfter } from '@telltale/core/states/issue'
import { and, eq } from 'drizzle-orm'
import { titleOf } from '../../intake/privacy/issue-title.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { issues } from '../../platform/engines/postgres/issue-schema.ts'
import { auditedIssue } from './issue.ts'
import { type FoundIssue, getPlace } from './queries.ts'

/** Brings back what was resolved; nothing when somebody else did so, or decided otherwise, in the meantime. */
export const regressIssue = change(
  async ({ db }, { issue, version }: { issue: FoundIssue; version: string }) => {
    const state = issueAfter(issue.state, 'regress')
    if (state === undefined) return { reply: undefined, changes: [] }
    const [updated] = await db
      .update(issues)
      .set({ state, version: issue.version + 1 })
      .where(and(eq(issues.id, issue.id), eq(issues.version, issue.version)))
      .returning({ id: issues.id })
    if (updated === undefined) return { reply: undefined, changes: [] }
    return {
      reply: undefined,
      changes: [
        {
          action: 'issue.regress',
          entity: { kind: 'issue', id: issue.id, name: titleOf(issue) },
          ...(await getPlace(db, issue.environmentId)),
          before: auditedIssue(issue),
          after: { ...auditedIssue({ ...issue, state }), seenIn: version },
        },
      ],
    }
  },
)
