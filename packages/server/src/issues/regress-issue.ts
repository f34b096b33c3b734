import { issueAfter } from '@telltale/core/states/issue'
import { and, eq } from 'drizzle-orm'
import { change } from '../engines/postgres/change.ts'
import { issues } from '../engines/postgres/issue-schema.ts'
import { environments, projects } from '../engines/postgres/schema.ts'
import { auditedIssue, titleOf } from './issue.ts'
import type { FoundIssue } from './queries.ts'

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
    const [place] = await db
      .select({
        project: { id: projects.id, key: projects.key },
        environment: { id: environments.id, key: environments.key },
      })
      .from(environments)
      .innerJoin(projects, eq(projects.id, environments.projectId))
      .where(eq(environments.id, issue.environmentId))
    if (updated === undefined || place === undefined) return { reply: undefined, changes: [] }
    return {
      reply: undefined,
      changes: [
        {
          action: 'issue.regress',
          entity: { kind: 'issue', id: issue.id, name: titleOf(issue) },
          ...place,
          before: auditedIssue(issue),
          after: { ...auditedIssue({ ...issue, state }), seenIn: version },
        },
      ],
    }
  },
)
