// Members merge issues that the grouping separates, and split them again. Groups of errors move with their
// issue, so that later events and new builds follow; each group stores its origin, so that a split is exact.

import type { ReplyOf } from '@telltale/core/contract/call'
import type { mergeIssues as mergeIssuesCall } from '@telltale/core/contract/issues'
import { problem } from '@telltale/core/errors'
import { and, eq, isNull } from 'drizzle-orm'
import { titleOf } from '../../intake/privacy/issue-title.ts'
import { change, type EntityChange } from '../../platform/engines/postgres/change.ts'
import { issueGroups, issues } from '../../platform/engines/postgres/issue-schema.ts'
import type { Transaction } from '../../platform/engines/postgres/open.ts'
import { toIssue } from './issue.ts'
import { lockIssues } from './note-groups.ts'
import { type FoundIssue, getIssue } from './queries.ts'

interface Place {
  project: { id: string; key: string }
  environment: { id: string; key: string }
}

/** The state of `into` applies; the states of the others are kept for a later split. */
export const mergeIssues = change(
  async ({ db, now }, { into, ids, ...place }: Place & { into: string; ids: readonly string[] }) => {
    const environmentId = place.environment.id
    await lockIssues(db, environmentId)
    const kept = await getIssue(db, { environmentId, id: into })
    const gone: FoundIssue[] = []
    for (const id of new Set(ids)) {
      const issue = await getIssue(db, { environmentId, id })
      if (issue.id !== kept.id && gone.every((one) => one.id !== issue.id)) gone.push(issue)
    }
    for (const issue of gone) await moveInto(db, { kept: kept.id, gone: issue.id })
    if (gone.length === 0) return { reply: toReply(kept, now), changes: [] }

    const newest =
      [kept, ...gone].toSorted((a, b) => b.lastSeenAt.getTime() - a.lastSeenAt.getTime())[0] ?? kept
    const { lastSeenAt, lastSeenVersion } = newest
    const seen = { lastSeenAt, lastSeenVersion, version: kept.version + 1 }
    await db.update(issues).set(seen).where(eq(issues.id, kept.id))
    const after = await getIssue(db, { environmentId, id: kept.id })
    const changes = gone.map((issue) => changeOf('issue.merge', kept, { place, merged: issue }))
    return { reply: toReply(after, now), changes }
  },
)

/** Throws `not-found` if that issue was not merged into it manually. */
export const splitIssue = change(
  async ({ db, now }, { id, merged, ...place }: Place & { id: string; merged: string }) => {
    const environmentId = place.environment.id
    await lockIssues(db, environmentId)
    const from = await getIssue(db, { environmentId, id })
    const ofMerged = and(eq(issueGroups.issueId, from.id), eq(issueGroups.mergedFrom, merged))
    const moved = await db
      .update(issueGroups)
      .set({ issueId: merged, mergedFrom: null })
      .where(ofMerged)
      .returning({ group: issueGroups.group })
    if (moved.length === 0) throw problem('not-found', 'This issue was not merged manually into that one.')
    await db.update(issues).set({ mergedInto: null }).where(eq(issues.id, merged))
    await db
      .update(issues)
      .set({ version: from.version + 1 })
      .where(eq(issues.id, from.id))
    const after = await getIssue(db, { environmentId, id: merged })
    return {
      reply: toReply(after, now),
      changes: [changeOf('issue.split', from, { place, merged: after })],
    }
  },
)

async function moveInto(db: Transaction, { kept, gone }: { kept: string; gone: string }): Promise<void> {
  // Groups merged into it before keep their own origin.
  const own = and(eq(issueGroups.issueId, gone), isNull(issueGroups.mergedFrom))
  await db.update(issueGroups).set({ mergedFrom: gone }).where(own)
  await db.update(issueGroups).set({ issueId: kept }).where(eq(issueGroups.issueId, gone))
  await db.update(issues).set({ mergedInto: kept }).where(eq(issues.mergedInto, gone))
  await db.update(issues).set({ mergedInto: kept }).where(eq(issues.id, gone))
}

function changeOf(
  action: 'issue.merge' | 'issue.split',
  issue: FoundIssue,
  { place, merged }: { place: Place; merged: FoundIssue },
): EntityChange {
  const titles = { merged: titleOf(merged) }
  return {
    action,
    entity: { kind: 'issue', id: issue.id, name: titleOf(issue) },
    ...place,
    ...(action === 'issue.merge' ? { before: {}, after: titles } : { before: titles, after: {} }),
  }
}

const toReply = (issue: FoundIssue, now: Date): ReplyOf<typeof mergeIssuesCall> => toIssue(issue, now)

/** Issues merged into it manually, with their titles. */
export async function findMerged(
  db: Pick<Transaction, 'selectDistinct'>,
  issueId: string,
): Promise<{ id: string; type: string; message: string; culprit: string }[]> {
  return db
    .selectDistinct({ id: issues.id, type: issues.type, message: issues.message, culprit: issues.culprit })
    .from(issueGroups)
    .innerJoin(issues, eq(issues.id, issueGroups.mergedFrom))
    .where(eq(issueGroups.issueId, issueId))
    .orderBy(issues.id)
}
