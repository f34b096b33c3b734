import { and, eq } from 'drizzle-orm'
import { titleOf } from '../../intake/privacy/issue-title.ts'
import { type Changed, change } from '../../platform/engines/postgres/change.ts'
import { issueGroups, issues } from '../../platform/engines/postgres/issue-schema.ts'
import type { Transaction } from '../../platform/engines/postgres/open.ts'
import { auditedIssue } from './issue.ts'
import { findIssueIds, lockIssues } from './note-groups.ts'
import { isMappedKey } from './place-errors.ts'
import { type FoundIssue, getIssue, getProjectAndEnvironment } from './queries.ts'

interface Settling {
  environmentId: string
  /** A group of events with an issue. */
  group: string
  /** The key of its mapped frames, from a source map that arrived late. */
  key: string
}

/**
 * Moves a group of events to the issue of its mapped frames. If its issue has no other group, both issues are
 * merged. Returns whether the group was detached instead, because its issue belongs to another place.
 */
export const settleGroup = change(
  async ({ db }, { environmentId, group, key }: Settling): Promise<Changed<boolean>> => {
    if (!(await lockIssues(db, environmentId))) return isFreed(false)
    const ids = await findIssueIds(db, environmentId, [group, key])
    const [own, other] = [ids.get(group), ids.get(key)]
    if (own === undefined || own === other) return isFreed(false)

    const isGroup = and(eq(issueGroups.environmentId, environmentId), eq(issueGroups.group, group))
    const beside = await findGroups(db, own)
    const hasOthers = beside.some((one) => /^\d/.test(one) && one !== group)
    if (other === undefined) {
      const isOfOther = hasOthers && beside.some(isMappedKey)
      if (isOfOther) await db.delete(issueGroups).where(isGroup)
      else await db.insert(issueGroups).values({ environmentId, group: key, issueId: own })
      return isFreed(isOfOther)
    }
    if (hasOthers) {
      await db.update(issueGroups).set({ issueId: other }).where(isGroup)
      return isFreed(false)
    }
    const met = await Promise.all([own, other].map((id) => getIssue(db, { environmentId, id })))
    const [kept, gone] = met.toSorted(
      (left, right) => left.firstSeenAt.getTime() - right.firstSeenAt.getTime(),
    )
    return kept === undefined || gone === undefined ? isFreed(false) : merge(db, kept, gone)
  },
)

const isFreed = (reply: boolean): Changed<boolean> => ({ reply, changes: [] })

async function findGroups(db: Transaction, issueId: string): Promise<string[]> {
  const rows = await db
    .select({ group: issueGroups.group })
    .from(issueGroups)
    .where(eq(issueGroups.issueId, issueId))
  return rows.map(({ group }) => group)
}

async function merge(db: Transaction, kept: FoundIssue, gone: FoundIssue): Promise<Changed<boolean>> {
  const { id, environmentId } = kept
  await db.update(issueGroups).set({ issueId: id }).where(eq(issueGroups.issueId, gone.id))
  await db.update(issues).set({ mergedInto: id }).where(eq(issues.mergedInto, gone.id))
  await db.update(issues).set({ mergedInto: id }).where(eq(issues.id, gone.id))
  const set = { ...togetherOf(kept, gone), version: kept.version + 1 }
  await db.update(issues).set(set).where(eq(issues.id, id))
  const after = await getIssue(db, { environmentId, id })
  const merged = {
    action: 'issue.merge',
    entity: { kind: 'issue', id, name: titleOf(kept) },
    ...(await getProjectAndEnvironment(db, environmentId)),
    before: auditedIssue(kept),
    after: { ...auditedIssue(after), merged: titleOf(gone) },
  } as const
  return { reply: false, changes: [merged] }
}

/** A decision takes precedence over none, and regressed over resolved. */
function togetherOf(kept: FoundIssue, gone: FoundIssue): Partial<FoundIssue> {
  const decided =
    kept.state === 'unresolved' || (gone.state === 'regressed' && kept.state === 'resolved') ? gone : kept
  const { state, resolvedAt, resolvedIn, toleratedVersions, ignoredUntil } = decided
  const newest = kept.lastSeenAt >= gone.lastSeenAt ? kept : gone
  return {
    state,
    resolvedAt,
    resolvedIn,
    toleratedVersions,
    ignoredUntil,
    regressedIn: kept.regressedIn ?? gone.regressedIn,
    assigneeId: kept.assigneeId ?? gone.assigneeId,
    lastSeenAt: newest.lastSeenAt,
    lastSeenVersion: newest.lastSeenVersion,
  }
}
