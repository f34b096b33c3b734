import { mergeConfigs } from '@telltale/core/changes/merge-config'
import type { FlagConfigDraft } from '@telltale/core/contract/flag-config'
import { problem } from '@telltale/core/errors'
import { change } from '../../platform/engines/postgres/change.ts'
import { decide, refuseImpossible, renewed } from './decide.ts'
import { describeChangeRequest, readGround } from './describe-change-request.ts'
import { refuseForeign } from './own.ts'
import { lockChangeRequest } from './queries.ts'
import { propose } from './update-change-request.ts'

interface Rebase {
  project: { id: string; key: string }
  id: string
  userId: string
  /** Undefined: merge both changes if possible. */
  config: FlagConfigDraft | undefined
  comment: string | undefined
}

/** Rebases the proposal on the saved version, which requires a new approval. */
export const rebaseChangeRequest = change(
  async (context, { project, id, userId, config, comment }: Rebase) => {
    const { db } = context
    const before = await lockChangeRequest(db, project.id, id)
    refuseForeign(before, userId)
    refuseImpossible(before, 'rebase')

    const { base, current } = await readGround(db, before.request)
    const draft = config ?? merged(base, { mine: before.request.proposed, theirs: current.config })
    const set = {
      proposed: await propose(db, { project, before, draft }),
      baseVersion: current.version,
      ...renewed(before),
    }
    const { after, change: entry } = await decide(context, before, {
      project,
      action: 'rebase',
      set,
      comment,
    })
    return { reply: await describeChangeRequest(db, after), changes: [entry] }
  },
)

function merged(
  base: FlagConfigDraft,
  sides: { mine: FlagConfigDraft; theirs: FlagConfigDraft },
): FlagConfigDraft {
  const result = mergeConfigs(base, sides)
  if ('merged' in result) return result.merged
  const parts = result.overlaps.map((pointer) => pointer.slice(1)).join(', ')
  throw problem('invalid-request', {
    errors: [{ pointer: '/config', message: `is missing: both changed ${parts}` }],
  })
}
