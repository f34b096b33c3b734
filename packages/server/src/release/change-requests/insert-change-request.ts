import type { FlagConfigDraft } from '@telltale/core/contract/flag-config'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { v7 as newId } from 'uuid'
import type { EnvironmentRow } from '../../organisation/environments/queries.ts'
import type { ChangeContext, EntityChange } from '../../platform/engines/postgres/change.ts'
import { changeRequestDecisions, changeRequests } from '../../platform/engines/postgres/change-schema.ts'
import { toConfig } from '../flags/flag.ts'
import { type FlagRow, getConfig } from '../flags/queries.ts'
import { requestChange } from './change-request.ts'
import { readProposal } from './proposal.ts'
import { type ChangeRequestRow, findInStates, getChangeRequest, type PlacedRequest } from './queries.ts'

/** The account that proposes, also for a request with one of its tokens. */
export interface Proposer {
  id: string
  name: string
}

export interface Proposal {
  project: { id: string; key: string }
  environment: EnvironmentRow
  flag: FlagRow
  /** The base version; undefined for the current one. */
  from: number | undefined
  draft: FlagConfigDraft
  reason: string | undefined
  author: Proposer
  reviewers?: string[]
  scheduledFor?: Date | undefined
  /** By an application of flags as code. */
  fromCode?: boolean | undefined
}

/** Opens a change request. The place must be locked. Throws `version-conflict` for a stale base. */
export async function insertChangeRequest(
  { db, now, actor }: ChangeContext,
  proposal: Proposal,
): Promise<{ opened: PlacedRequest; change: EntityChange }> {
  const { project, environment, flag, from, draft, reason, author, reviewers = [], scheduledFor } = proposal
  const ref = { flagId: flag.id, environmentId: environment.id }
  const current = await getConfig(db, ref)
  if (from !== undefined && from !== current.version) {
    throw problem('version-conflict', { current: toConfig(current) })
  }
  const undecided = await findInStates(db, ref, ['open', 'approved', 'conflicted'])
  if (undecided.length >= limits.changeRequestsPerFlag) {
    throw problem('in-use', `At most ${limits.changeRequestsPerFlag} change requests can be undecided here.`)
  }

  const row: ChangeRequestRow = {
    id: newId(),
    projectId: project.id,
    ...ref,
    state: 'open',
    baseVersion: current.version,
    proposed: await readProposal(db, { flag, current, draft }),
    reason: reason ?? null,
    scheduledFor: scheduledFor ?? null,
    authorId: author.id,
    authorName: author.name,
    reviewers,
    approvals: [],
    proposalVersion: 1,
    appliedVersion: null,
    fromCode: proposal.fromCode ?? false,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  await db.insert(changeRequests).values(row)
  await db.insert(changeRequestDecisions).values({
    id: newId(),
    changeRequestId: row.id,
    at: now,
    action: 'open',
    actor,
    comment: reason ?? null,
    version: 1,
  })
  const opened = await getChangeRequest(db, project.id, row.id)
  return { opened, change: requestChange('open', project, { after: opened, comment: reason }) }
}
