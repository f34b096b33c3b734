import type { FlagConfigDraft } from '@telltale/core/contract/flag-config'
import { problem } from '@telltale/core/errors'
import { change } from '../../platform/engines/postgres/change.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { refuseArchived, resolveConfigRef } from '../flags/config-ref.ts'
import { getConfig } from '../flags/queries.ts'
import { checkReviewers } from './check-reviewers.ts'
import { decide, refuseImpossible, renewed } from './decide.ts'
import { describeChangeRequest } from './describe-change-request.ts'
import { refuseForeign } from './own.ts'
import { readProposal } from './proposal.ts'
import { type ChangeRequestRow, lockChangeRequest, type PlacedRequest } from './queries.ts'
import { readFuture } from './read-future.ts'

interface Update {
  project: { id: string; key: string }
  id: string
  userId: string
  draft: {
    config?: FlagConfigDraft
    reason?: string | null
    reviewers?: string[]
    scheduledFor?: string | null
  }
  ifMatch: number | undefined
}

/** Fields missing from the draft keep their values. An earlier approval becomes void. */
export const updateChangeRequest = change(
  async (context, { project, id, userId, draft, ifMatch }: Update) => {
    const { db, now } = context
    const before = await lockChangeRequest(db, project.id, id)
    refuseForeign(before, userId)
    if (ifMatch !== undefined && ifMatch !== before.request.version) {
      throw problem('version-conflict', { current: await describeChangeRequest(db, before) })
    }
    refuseImpossible(before, 'update')
    const { config, reason, reviewers, scheduledFor } = draft
    await checkReviewers(db, { projectId: project.id, authorId: userId, reviewers: reviewers ?? [] })

    const set: Partial<ChangeRequestRow> = {
      ...(config === undefined ? {} : { proposed: await propose(db, { project, before, draft: config }) }),
      ...(reason === undefined ? {} : { reason }),
      ...(reviewers === undefined ? {} : { reviewers }),
      ...(scheduledFor === undefined
        ? {}
        : { scheduledFor: readFuture(scheduledFor ?? undefined, '/scheduledFor', now) ?? null }),
      ...renewed(before),
    }
    const { after, change: entry } = await decide(context, before, { project, action: 'update', set })
    return { reply: await describeChangeRequest(db, after), changes: [entry] }
  },
)

/** The proposal on top of the saved version, validated. */
export async function propose(
  db: Queryable,
  {
    project,
    before,
    draft,
  }: { project: { id: string; key: string }; before: PlacedRequest; draft: FlagConfigDraft },
): Promise<FlagConfigDraft> {
  const { flag, environment } = await resolveConfigRef(db, { project, env: before.env, flag: before.flag })
  refuseArchived(flag)
  const current = await getConfig(db, { flagId: flag.id, environmentId: environment.id })
  return readProposal(db, { flag, current, draft })
}
