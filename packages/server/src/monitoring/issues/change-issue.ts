import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import type {
  changeIssue as changeIssueCall,
  changeIssues as changeIssuesCall,
  Issue,
} from '@telltale/core/contract/issues'
import { Problem, problem } from '@telltale/core/errors'
import { type IssueAction, issueAfter } from '@telltale/core/states/issue'
import { and, eq } from 'drizzle-orm'
import type { Static } from 'typebox'
import { titleOf } from '../../intake/privacy/issue-title.ts'
import { findPeople } from '../../organisation/members/queries.ts'
import { change, type EntityChange } from '../../platform/engines/postgres/change.ts'
import { issues } from '../../platform/engines/postgres/issue-schema.ts'
import type { Transaction } from '../../platform/engines/postgres/open.ts'
import { readInstant } from '../../platform/http/instant.ts'
import { auditedIssue, stateAt, toIssue } from './issue.ts'
import { type FoundIssue, getIssue } from './queries.ts'

interface Decision {
  project: { id: string; key: string }
  environment: { id: string; key: string }
  draft: BodyOf<typeof changeIssueCall>
  /** Versions seen so far, latest first. */
  versions: readonly string[]
}

const actions = { resolved: 'resolve', ignored: 'ignore', unresolved: 'reopen' } as const satisfies Record<
  string,
  IssueAction
>

export const changeIssue = change(
  async (
    { db, now },
    { id, ifMatch, ...decision }: Decision & { id: string; ifMatch: number | undefined },
  ) => {
    const before = await getIssue(db, { environmentId: decision.environment.id, id })
    if (ifMatch !== undefined && ifMatch !== before.version) {
      throw problem('version-conflict', { current: toIssue(before, now) })
    }
    await checkAssignee(db, decision)
    return decide(db, before, { ...decision, now })
  },
)

/** Each issue is changed independently: an invalid change does not block the others. */
export const changeIssues = change(
  async ({ db, now }, { ids, ...decision }: Decision & { ids: readonly string[] }) => {
    await checkAssignee(db, decision)
    const reply: ReplyOf<typeof changeIssuesCall> = { issues: [], refused: [] }
    const changes: EntityChange[] = []
    // A fixed order of locks, to prevent deadlocks.
    for (const id of ids.toSorted()) {
      try {
        const before = await getIssue(db, { environmentId: decision.environment.id, id })
        const changed = await decide(db, before, { ...decision, now })
        reply.issues.push(changed.reply)
        changes.push(...changed.changes)
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        reply.refused.push({ id, message: error.context.errors?.[0]?.message ?? error.message })
      }
    }
    return { reply, changes }
  },
)

async function checkAssignee(db: Transaction, { draft, project }: Decision): Promise<void> {
  const { assignee } = draft
  if (!assignee || (await findPeople(db, project.id, [assignee])).has(assignee)) return
  throw problem('invalid-request', {
    errors: [{ pointer: '/assignee', message: 'is not a member of the project' }],
  })
}

async function decide(
  db: Transaction,
  before: FoundIssue,
  decision: Decision & { now: Date },
): Promise<{ reply: Static<typeof Issue>; changes: EntityChange[] }> {
  const { project, environment, draft, now } = decision
  const set = {
    ...(draft.state === undefined ? {} : stateSet(before, decision)),
    ...(draft.assignee === undefined || draft.assignee === before.assigneeId
      ? {}
      : { assigneeId: draft.assignee }),
  }
  if (Object.keys(set).length === 0) return { reply: toIssue(before, now), changes: [] }

  const { id } = before
  const [updated] = await db
    .update(issues)
    .set({ ...set, version: before.version + 1 })
    .where(and(eq(issues.id, id), eq(issues.version, before.version)))
    .returning({ id: issues.id })
  if (updated === undefined) throw problem('version-conflict')
  const after = await getIssue(db, { environmentId: environment.id, id })
  return {
    reply: toIssue(after, now),
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
}

/** Empty if the issue has this state already. */
function stateSet(issue: FoundIssue, { draft, versions, now }: Decision & { now: Date }) {
  const was = stateAt(issue, now)
  const ignoredUntil =
    draft.state === 'ignored' && draft.ignoredUntil !== undefined
      ? readInstant(draft.ignoredUntil, '/ignoredUntil')
      : null
  const isSo = was === draft.state && ignoredUntil?.getTime() === issue.ignoredUntil?.getTime()
  if (draft.state === undefined || isSo) return {}
  const state = issueAfter(was, actions[draft.state]) ?? (was === draft.state ? was : undefined)
  if (state === undefined) {
    throw problem('invalid-request', {
      errors: [{ pointer: '/state', message: `an issue that is ${was} cannot become ${draft.state}` }],
    })
  }
  const isResolved = draft.state === 'resolved'
  return {
    state,
    resolvedAt: isResolved ? now : null,
    resolvedIn: isResolved ? (versions[0] ?? '') : null,
    toleratedVersions: isResolved ? [...versions] : [],
    ignoredUntil,
  }
}
