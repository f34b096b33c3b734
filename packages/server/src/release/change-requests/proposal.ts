import { isDeepStrictEqual } from 'node:util'
import type { FlagConfigDraft } from '@telltale/core/contract/flag-config'
import { problem } from '@telltale/core/errors'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { checkDraft } from '../flags/check-draft.ts'
import { completed, draftOf, withRuleIds } from '../flags/config-draft.ts'
import type { ConfigRow, FlagRow } from '../flags/queries.ts'

/** The proposed configuration, complete and validated. Throws `invalid-request` if it changes nothing. */
export async function readProposal(
  db: Queryable,
  { flag, current, draft }: { flag: FlagRow; current: ConfigRow; draft: FlagConfigDraft },
): Promise<FlagConfigDraft> {
  await checkDraft(db, { flag, environmentId: current.environmentId, draft })
  const proposed = completed({ ...draft, rules: withRuleIds(draft.rules) })
  if (isDeepStrictEqual(proposed, draftOf(current))) {
    throw problem('invalid-request', {
      errors: [{ pointer: '/config', message: 'changes nothing' }],
    })
  }
  return proposed
}
