// Where a project is managed in code, and its drift: what an application of the same files would change, because
// someone changed it elsewhere.

import type { ReplyOf } from '@telltale/core/contract/call'
import type { getCodeOrigin, getCodeState } from '@telltale/core/contract/flags-as-code'
import { compareCode } from '@telltale/core/flags-as-code/compare-code'
import { limits } from '@telltale/core/limits'
import { and, count, desc, eq } from 'drizzle-orm'
import { codeEntries, codeSources } from '../../platform/engines/postgres/code-source-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { addressAtHost } from '../code-references/address-at-host.ts'
import type { EntryKinds } from './entry-kinds.ts'
import { withApproval } from './plan-code.ts'
import { readState } from './read-state.ts'
import { storedTarget } from './stored-target.ts'
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
  const changes = compareCode({ state, target, applied: [], prune: false })
  const waiting = await findWaiting(db, projectId)
  const drift = changes.slice(0, limits.codeDriftListed).map((change) => {
    const {
      kind,
      key,
      env,
      action,
      lines,
      approval,
      waiting: request,
    } = withApproval(change, { grant: { kind: 'none' }, state, waiting })
    return { kind, key, env, action, lines, approval, waiting: request }
  })
  return { sources, drift, moreDrift: changes.length - drift.length }
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

export async function findFlagOrigin(
  db: Queryable,
  { projectId, flag }: { projectId: string; flag: string },
): Promise<ReplyOf<typeof getCodeOrigin>> {
  const { repository, path, branch, commit, link, appliedAt, appliedBy } = codeSources
  const [row] = await db
    .select({ repository, path, branch, commit, link, appliedAt, appliedBy, file: codeEntries.file })
    .from(codeEntries)
    .innerJoin(codeSources, eq(codeSources.id, codeEntries.sourceId))
    .where(
      and(
        eq(codeEntries.projectId, projectId),
        eq(codeEntries.kind, 'flags'),
        eq(codeEntries.key, flag),
        eq(codeEntries.inFolder, true),
      ),
    )
  if (row === undefined) return { origin: null }
  const { link: template, ...origin } = row
  const file = [origin.path, origin.file].filter((part) => part !== '' && part !== '.').join('/')
  const url = addressAtHost(template, { ...origin, file, line: 1 })
  return { origin: { ...origin, file, appliedAt: origin.appliedAt.toISOString(), url } }
}
