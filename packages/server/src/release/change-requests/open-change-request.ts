import type { FlagConfigDraft } from '@telltale/core/contract/flag-config'
import { change } from '../../platform/engines/postgres/change.ts'
import { type ConfigRef, lockConfigRefToPropose } from '../flags/config-ref.ts'
import { checkReviewers } from './check-reviewers.ts'
import { describeChangeRequest } from './describe-change-request.ts'
import { insertChangeRequest, type Proposer } from './insert-change-request.ts'
import { readFuture } from './read-future.ts'

interface Opening {
  place: Omit<ConfigRef, 'grant'>
  author: Proposer
  draft: {
    config: FlagConfigDraft
    baseVersion: number
    reason?: string
    reviewers?: string[]
    scheduledFor?: string
  }
}

export const openChangeRequest = change(async (context, { place, author, draft }: Opening) => {
  const { project } = place
  const found = await lockConfigRefToPropose(context.db, place)
  const { config, baseVersion, reason, reviewers = [] } = draft
  await checkReviewers(context.db, { projectId: project.id, authorId: author.id, reviewers })
  const scheduledFor = readFuture(draft.scheduledFor, '/scheduledFor', context.now)
  const { opened, change: entry } = await insertChangeRequest(context, {
    project,
    ...found,
    from: baseVersion,
    draft: config,
    reason,
    author,
    reviewers,
    scheduledFor,
  })
  return { reply: await describeChangeRequest(context.db, opened), changes: [entry] }
})
