import { eq } from 'drizzle-orm'
import { change } from '../engines/postgres/change.ts'
import { issueGroups, issues } from '../engines/postgres/issue-schema.ts'
import { auditedIssue, titleOf } from './issue.ts'
import { findIssueIds, lockIssues } from './note-groups.ts'
import { type FoundIssue, getIssue, getPlace } from './queries.ts'

interface Meeting {
  environmentId: string
  /** Of the events. */
  group: string
  /** Of their mapped frames. */
  place: string
}

/** Two groups turned out to be one: the issue that was seen first keeps both, and what people decided about either. */
export const mergeIssues = change(async ({ db }, { environmentId, group, place }: Meeting) => {
  const nothing = { reply: undefined, changes: [] }
  if (!(await lockIssues(db, environmentId))) return nothing
  const ids = await findIssueIds(db, environmentId, [group, place])
  const [own, other] = [ids.get(group), ids.get(place)]
  if (own === undefined || own === other) return nothing
  if (other === undefined) {
    await db.insert(issueGroups).values({ environmentId, group: place, issueId: own })
    return nothing
  }

  const met = await Promise.all([own, other].map((id) => getIssue(db, { environmentId, id })))
  const [kept, gone] = met.toSorted((left, right) => left.firstSeenAt.getTime() - right.firstSeenAt.getTime())
  if (kept === undefined || gone === undefined) return nothing
  await db.update(issueGroups).set({ issueId: kept.id }).where(eq(issueGroups.issueId, gone.id))
  await db.update(issues).set({ mergedInto: kept.id }).where(eq(issues.mergedInto, gone.id))
  await db.update(issues).set({ mergedInto: kept.id }).where(eq(issues.id, gone.id))
  const set = { ...togetherOf(kept, gone), version: kept.version + 1 }
  await db.update(issues).set(set).where(eq(issues.id, kept.id))
  const after = await getIssue(db, { environmentId, id: kept.id })
  return {
    reply: undefined,
    changes: [
      {
        action: 'issue.merge' as const,
        entity: { kind: 'issue', id: kept.id, name: titleOf(kept) },
        ...(await getPlace(db, environmentId)),
        before: auditedIssue(kept),
        after: { ...auditedIssue(after), merged: titleOf(gone) },
      },
    ],
  }
})

/** A decision wins over none, and what came back over what is settled. */
function togetherOf(kept: FoundIssue, gone: FoundIssue): Partial<FoundIssue> {
  const decided =
    kept.state === 'unresolved' || (gone.state === 'regressed' && kept.state === 'resolved') ? gone : kept
  const { state, resolvedAt, resolvedIn, toleratedVersions, ignoredUntil } = decided
  const newest = kept.lastSeenAt >= gone.lastSeenAt ? kept : gone
  return {
    ...{ state, resolvedAt, resolvedIn, toleratedVersions, ignoredUntil },
    assigneeId: kept.assigneeId ?? gone.assigneeId,
    lastSeenAt: newest.lastSeenAt,
    lastSeenVersion: newest.lastSeenVersion,
  }
}
