import { isOffSwitch } from '@telltale/core/changes/patch-config'
import { isSame } from '@telltale/core/changes/same'
import type { OpenedChangeRequest } from '@telltale/core/contract/change-requests'
import type { Grant } from '@telltale/core/rights'
import type { ChangeContext, Changed } from '../../platform/engines/postgres/change.ts'
import { completed, draftOf } from '../flags/config-draft.ts'
import { checkMayChange, mayChangeProtected } from '../flags/config-ref.ts'
import { toConfig } from '../flags/flag.ts'
import { getConfig } from '../flags/queries.ts'
import { type ConfigWrite, writeConfig } from '../flags/write-config.ts'
import { toOpened } from './change-request.ts'
import { insertChangeRequest, type Proposer } from './insert-change-request.ts'

export type SaveOutcome = { saved: ReturnType<typeof toConfig> } | { opened: OpenedChangeRequest }

interface Save extends ConfigWrite {
  grant: Grant
  author: Proposer
  fromCode?: boolean
}

/**
 * Saves a configuration; where approval is required, opens a change request instead. Roles that may change
 * protected environments can always turn a flag off. The place must be locked.
 */
export async function writeOrPropose(
  context: ChangeContext,
  { grant, author, ...write }: Save,
): Promise<Changed<SaveOutcome>> {
  const { environment, flag, draft, project } = write
  const before = draftOf(await getConfig(context.db, { flagId: flag.id, environmentId: environment.id }))
  const after = completed(draft)
  const isFree =
    isSame(before, after) || (mayChangeProtected(environment, grant) && isOffSwitch(before, after))
  if (!environment.approvalRequired || isFree) {
    checkMayChange(environment, grant)
    const { reply, changes } = await writeConfig(context, write)
    return { reply: { saved: toConfig(reply) }, changes }
  }
  const { opened, change } = await insertChangeRequest(context, { ...write, author })
  return { reply: { opened: toOpened(project, opened) }, changes: [change] }
}
