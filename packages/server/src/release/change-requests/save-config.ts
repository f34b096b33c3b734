import type { FlagConfigDraft } from '@telltale/core/contract/flag-config'
import { problem } from '@telltale/core/errors'
import { change } from '../../platform/engines/postgres/change.ts'
import { type ConfigRef, lockConfigRefToPropose } from '../flags/config-ref.ts'
import type { ReviewConfig } from '../flags/policy.ts'
import type { Proposer } from './insert-change-request.ts'
import { writeOrPropose } from './write-or-propose.ts'

interface ConfigSave {
  review: ReviewConfig
  place: ConfigRef
  author: Proposer
  draft: FlagConfigDraft & { version?: number; reason?: string; endsEvidenceOf?: string[] }
  ifMatch: number | undefined
}

export const saveConfig = change(async (context, { review, place, author, draft, ifMatch }: ConfigSave) => {
  const { version, reason, endsEvidenceOf, ...config } = draft
  const from = ifMatch ?? version
  if (from === undefined) {
    throw problem('invalid-request', {
      errors: [{ pointer: '/version', message: 'or If-Match must be the version that was edited' }],
    })
  }
  const found = await lockConfigRefToPropose(context.db, place)
  const { project, grant } = place
  return writeOrPropose(context, {
    review,
    project,
    grant,
    author,
    ...found,
    from,
    draft: config,
    reason,
    endsEvidenceOf,
  })
})
