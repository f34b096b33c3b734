// Where a project is managed in code, and its drift: what an application of the same files would change, because
// someone changed it elsewhere.

import type { ReplyOf } from '@telltale/core/contract/call'
import type { CodeChange, getCodeOrigin, getCodeState } from '@telltale/core/contract/flags-as-code'
import { compareCode } from '@telltale/core/flags-as-code/compare-code'
import { limits } from '@telltale/core/limits'
import { and, count, desc, eq } from 'drizzle-orm'
import { codeEntries, codeSources } from '../../platform/engines/postgres/code-source-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { addressAtHost } from '../code-references/address-at-host.ts'
import type { EntryKinds } from './entry-kinds.ts'
import { withApproval } from './plan-code.ts'
import { type EntryRef, type ProjectState, readEntryState, readState } from './read-state.ts'
import type { Target } from './read-target.ts'
import { storedTarget, targetOf } from './stored-target.ts'
import { findWaiting } from './waiting-requests.ts'

export async function readCodeState(
  db: Queryable,
  projectId: string,
  kinds: EntryKinds,
): Promise<ReplyOf<typeof getCodeState>> {
  const sources = await findSources(db, projectId)
  if (sources.length === 0) return { sources: [], drift: [], moreDrift: 0 }

  const state = await readState(db, projectId, kinds)
  const target = await storedTarget(db, projectId)
  const changes = await describeDrift(db, projectId, { state, target })
  const drift = changes.slice(0, limits.codeDriftListed)
  return { sources, drift, moreDrift: changes.length - drift.length }
}

interface Compared {
  state: ProjectState
  target: Target
}

/** What an application of the same files would change. */
async function describeDrift(
  db: Queryable,
  projectId: string,
  { state, target }: Compared,
): Promise<CodeChange[]> {
  const changes = compareCode({ state, target, applied: [], prune: false })
  if (changes.length === 0) return []
  const waiting = await findWaiting(db, projectId)
  return changes.map((change) => {
    const planned = withApproval(change, { grant: { kind: 'none' }, state, waiting })
    const { kind, key, env, action, lines, approval, waiting: request } = planned
    return { kind, key, env, action, lines, approval, waiting: request }
  })
}

async function findSources(db: Queryable, projectId: string) {
  const { repository, path, branch, commit, appliedAt, appliedBy } = codeSources
  const rows = await db
    .select({ repository, path, branch, commit, appliedAt, appliedBy, entries: count(codeEntries.key) })
    .from(codeSources)
    .leftJoin(codeEntries, and(eq(codeEntries.sourceId, codeSources.id), eq(codeEntries.inFolder, true)))
    .where(eq(codeSources.projectId, projectId))
    .groupBy(codeSources.id)
    .orderBy(desc(appliedAt))
  return rows.map((row) => ({ ...row, appliedAt: row.appliedAt.toISOString() }))
}

/** Where an entry is managed, and its own drift. */
export async function readCodeOrigin(
  db: Queryable,
  projectId: string,
  { kinds, kind, key }: EntryRef & { kinds: EntryKinds },
): Promise<ReplyOf<typeof getCodeOrigin>> {
  const found = await findOrigin(db, projectId, { kind, key })
  if (found === undefined) return { origin: null, drift: [] }
  const state = await readEntryState(db, projectId, { kinds, kind, key })
  const target = targetOf(kind, key, found.content)
  return { origin: found.origin, drift: await describeDrift(db, projectId, { state, target }) }
}

async function findOrigin(db: Queryable, projectId: string, { kind, key }: EntryRef) {
  const { repository, path, branch, commit, link, appliedAt, appliedBy } = codeSources
  const { file: ownFile, content: ownContent } = codeEntries
  const [row] = await db
    .select({
      repository,
      path,
      branch,
      commit,
      link,
      appliedAt,
      appliedBy,
      file: ownFile,
      content: ownContent,
    })
    .from(codeEntries)
    .innerJoin(codeSources, eq(codeSources.id, codeEntries.sourceId))
    .where(
      and(
        eq(codeEntries.projectId, projectId),
        eq(codeEntries.kind, kind),
        eq(codeEntries.key, key),
        eq(codeEntries.inFolder, true),
      ),
    )
  if (row === undefined) return undefined
  const { link: template, content, ...origin } = row
  const file = [origin.path, origin.file].filter((part) => part !== '' && part !== '.').join('/')
  const url = addressAtHost(template, { ...origin, file, line: 1 })
  return { origin: { ...origin, file, appliedAt: origin.appliedAt.toISOString(), url }, content }
}
