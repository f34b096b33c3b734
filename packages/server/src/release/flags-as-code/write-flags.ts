// Flags are changed in steps, so that the order in the document does not matter: new flags and added variations first,
// then configurations, and at last the removal of variations that they no longer serve.

import type { FlagChange } from '@telltale/core/contract/flags'
import { problem } from '@telltale/core/errors'
import type { FlagContent } from '@telltale/core/flags-as-code/content'
import { decide } from '../change-requests/decide.ts'
import { insertChangeRequest } from '../change-requests/insert-change-request.ts'
import { findInStates } from '../change-requests/queries.ts'
import { writeOrPropose } from '../change-requests/write-or-propose.ts'
import { checkMayChange } from '../flags/config-ref.ts'
import { getFlag } from '../flags/queries.ts'
import { restoreFlag } from '../flags/restore-flag.ts'
import { updateFlag } from '../flags/update-flag.ts'
import { type Applying, onEntry } from './applying.ts'
import { insertFlags, type NewFlag } from './insert-flags.ts'
import { idsOf } from './owner-ids.ts'
import type { PlannedConfig } from './plan-code.ts'

const isOfFlag = ({ kind, env }: PlannedConfig) => kind === 'flags' && env === null

export async function createFlags({ context, application, plan, changes }: Applying): Promise<void> {
  const { project, grant } = application
  const { environments } = plan.state
  const created = new Map<string, NewFlag & { drafts: Map<string, NonNullable<PlannedConfig['draft']>> }>()
  for (const { key, action, ...planned } of plan.changes) {
    const content = plan.target.flags.get(key)
    if (!isOfFlag({ key, action, ...planned }) || action !== 'create' || content === undefined) continue
    created.set(key, { key, content, drafts: new Map() })
  }
  for (const planned of plan.changes) {
    const { key, env, draft, approval } = planned
    const environment = environments.find((one) => one.key === env)
    const flag = created.get(key)
    if (!flag || !environment || planned.kind !== 'flags' || draft === undefined || approval) continue
    await onEntry(planned, async () => checkMayChange(environment, grant))
    flag.drafts.set(environment.key, draft)
  }
  if (created.size === 0) return
  const { ownerIds } = plan
  const done = await insertFlags(context, { project, environments, ownerIds }, [...created.values()])
  changes.push(...done.changes)
}

/** Restores flags and changes what they are in every environment, except for variations that go. */
export async function prepareFlags(applying: Applying): Promise<void> {
  const { context, application, plan, changes } = applying
  const { project, grant } = application
  for (const planned of plan.changes) {
    const content = plan.target.flags.get(planned.key)
    if (!isOfFlag(planned) || content === undefined || planned.action === 'create') continue
    if (planned.action === 'restore') {
      const done = await onEntry(planned, () =>
        restoreFlag.verb(context, { project, grant, key: planned.key }),
      )
      changes.push(...done.changes)
    }
    const removed = removedVariations(applying, planned.key, content)
    const variations = [...content.variations, ...removed]
    await updateTo(applying, planned, removed.length === 0 ? draftOf(applying, content) : { variations })
  }
}

/** Removes variations that no configuration serves any more. */
export async function finishFlags(applying: Applying): Promise<void> {
  const { plan } = applying
  for (const planned of plan.changes) {
    const content = plan.target.flags.get(planned.key)
    if (!isOfFlag(planned) || content === undefined || planned.action === 'create') continue
    if (removedVariations(applying, planned.key, content).length > 0) {
      await updateTo(applying, planned, draftOf(applying, content))
    }
  }
}

function removedVariations({ plan }: Applying, key: string, { variations }: FlagContent) {
  const kept = new Set(variations.map((one) => one.key))
  return (plan.state.flags.get(key)?.variations ?? []).filter((one) => !kept.has(one.key))
}

function draftOf({ plan }: Applying, content: FlagContent): FlagChange {
  const { environments: _environments, valueType: _type, valueSchema, ...members } = content
  return {
    ...members,
    valueSchema: valueSchema === null ? null : { ...valueSchema },
    ...idsOf(plan.ownerIds, content),
  }
}

async function updateTo(
  { context, application, changes }: Applying,
  planned: PlannedConfig,
  change: FlagChange,
): Promise<void> {
  const { policy, project, grant, endsEvidenceOf } = application
  const draft = { ...change, ...(endsEvidenceOf && { endsEvidenceOf: [...endsEvidenceOf] }) }
  const done = await onEntry(planned, () =>
    updateFlag.verb(context, { policy, project, grant, key: planned.key, draft, ifMatch: undefined }),
  )
  changes.push(...done.changes)
}

/** Saves configurations, or opens change requests where approval is required. */
export async function writeConfigs(applying: Applying): Promise<void> {
  const { plan } = applying
  const created = new Set(
    plan.changes.flatMap((one) => (one.action === 'create' && isOfFlag(one) ? [one.key] : [])),
  )
  for (const planned of plan.changes) {
    const { kind, key, draft, approval, waiting } = planned
    if (kind !== 'flags' || draft === undefined || waiting !== null) continue
    // Those of new flags were inserted with them.
    if (created.has(key) && !approval) continue
    await onEntry(planned, () => writePlanned(applying, planned, draft))
  }
}

async function writePlanned(
  applying: Applying,
  { key, env, approval }: PlannedConfig,
  draft: NonNullable<PlannedConfig['draft']>,
): Promise<void> {
  const { context, application, plan, changes, opened } = applying
  const { policy, project, grant, author, reason, endsEvidenceOf } = application
  const environment = plan.state.environments.find((one) => one.key === env)
  if (environment === undefined) throw problem('internal')
  const flag = await getFlag(context.db, project.id, key)
  const place = { project, environment, flag, from: undefined, draft, reason, author }
  if (approval) {
    changes.push(...(await withdrawFormer(applying, { flagId: flag.id, environmentId: environment.id })))
    const proposed = await insertChangeRequest(context, { ...place, fromCode: true })
    changes.push(proposed.change)
    opened.push({ id: proposed.opened.request.id, env: environment.key, flag: key })
    return
  }
  const review = policy.reviewConfig
  const done = await writeOrPropose(context, { ...place, grant, review, endsEvidenceOf, isChecked: true })
  changes.push(...done.changes)
}

/** What an earlier application proposed here is no longer in the folder. */
async function withdrawFormer(
  { context, application: { project } }: Applying,
  ref: { flagId: string; environmentId: string },
) {
  const former = await findInStates(context.db, ref, ['open', 'approved', 'conflicted'])
  const changes = []
  for (const placed of former.filter(({ request }) => request.fromCode)) {
    const comment = 'Replaced by a later application of flags as code.'
    const { change } = await decide(context, placed, { project, action: 'withdraw', comment })
    changes.push(change)
  }
  return changes
}
