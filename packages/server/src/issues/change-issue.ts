import type { BodyOf } from '@telltale/core/contract/call'
import type { changeIssue as changeIssueCall, Issue } from '@telltale/core/contract/issues'
import { problem } from '@telltale/core/errors'
import { type IssueAction, issueAfter } from '@telltale/core/states/issue'
import { and, eq } from 'drizzle-orm'
import type { Static } from 'typebox'
import { change } from '../engines/postgres/change.ts'
import { issues } from '../engines/postgres/issue-schema.ts'
import { readInstant } from '../http/instant.ts'
import { findPeople } from '../members/queries.ts'
import { auditedIssue, stateAt, titleOf, toIssue } from './issue.ts'
import { type FoundIssue, getIssue } from './queries.ts'

interface IssueChange {
  project: { id: string; key: string }
  environment: { id: string; key: string }
  id: string
  draft: BodyOf<typeof changeIssueCall>
  /** The versions that people ran until now, the latest first. */
  versions: readonly string[]
  ifMatch: number | undefined
}

const actions = { resolved: 'resolve', ignored: 'ignore', unresolved: 'reopen' } as const satisfies Record<
  string,
  IssueAction
>

export const changeIssue = change(async ({ db, now }, input: IssueChange) => {
  const { project, environment, id, draft, ifMatch } = input
  const before = await getIssue(db, { environmentId: environment.id, id })
  if (ifMatch !== undefined && ifMatch !== before.version) {
    throw problem('version-conflict', { current: toIssue(before, now) })
  }
  const set = {
    ...(draft.state === undefined ? {} : stateSet(before, input, now)),
    ...(draft.assignee === undefined ? {} : { assigneeId: draft.assignee }),
  }
  if (draft.assignee && !(await findPeople(db, project.id, [draft.assignee])).has(draft.assignee)) {
    throw problem('invalid-request', {
      errors: [{ pointer: '/assignee', message: 'is nobody in the project' }],
    })
  }

  if (Object.keys(set).length === 0) return { reply: toIssue(before, now), changes: [] }

  const [updated] = await db
    .update(issues)
    .set({ ...set, version: before.version + 1 })
    .where(and(eq(issues.id, id), eq(issues.version, before.version)))
    .returning({ id: issues.id })
  if (updated === undefined) throw problem('version-conflict')
  const after = await getIssue(db, { environmentId: environment.id, id })
  const reply: Static<typeof Issue> = toIssue(after, now)
  return {
    reply,
    changes: [
      {
        action: `issue.${draft.state === undefined ? 'assign' : actions[draft.state]}` as const,
        entity: { kind: 'issue', id, name: titleOf(after) },
        project,
        environment,
        before: auditedIssue(before),
        after: auditedIssue(after),
      },
    ],
  }
})

function stateSet(issue: FoundIssue, { draft, versions }: IssueChange, now: Date) {
  const was = stateAt(issue, now)
  const state = draft.state === undefined ? was : issueAfter(was, actions[draft.state])
  if (state === undefined && was !== draft.state) {
    throw problem('invalid-request', {
      errors: [{ pointer: '/state', message: `an issue that is ${was} cannot become ${draft.state}` }],
    })
  }
  const isResolved = draft.state === 'resolved'
  return {
    state: state ?? was,
    resolvedAt: isResolved ? now : null,
    resolvedIn: isResolved ? (versions[0] ?? '') : null,
    toleratedVersions: isResolved ? [...versions] : [],
    ignoredUntil:
      draft.state === 'ignored' && draft.ignoredUntil !== undefined
        ? readInstant(draft.ignoredUntil, '/ignoredUntil')
        : null,
  }
}
