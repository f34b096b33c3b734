// Applies a document: all of it or nothing, in one transaction, with the project locked. What needs approval becomes a
// change request, as for a member.

import type { CodeChange, CodeSource } from '@telltale/core/contract/flags-as-code'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { lockProject } from '../../access/find-project.ts'
import { change, type EntityChange } from '../../platform/engines/postgres/change.ts'
import type { Applying, CodeApplication, OpenedRequest } from './applying.ts'
import { type CodePlan, makePlan, toChange } from './plan-code.ts'
import { storeApplied } from './store-applied.ts'
import { removeEntries, writeEntries } from './write-entries.ts'
import { createFlags, finishFlags, prepareFlags, writeConfigs } from './write-flags.ts'
import { writeSegments } from './write-segments.ts'

interface Applied {
  changes: CodeChange[]
  changeRequests: OpenedRequest[]
}

export const applyCode = change(async (context, application: CodeApplication) => {
  const { db } = context
  const { project, source, files } = application
  await lockProject(db, project.id)
  const plan = await makePlan(db, application)
  const isDone = plan.changes.length === 0
  if (!isDone && application.plan !== undefined && application.plan !== plan.id)
    throw problem('plan-outdated')
  refuseTooManyRequests(plan)

  const applying: Applying = { context, application, plan, changes: [], opened: [] }
  await writeSegments(applying)
  await createFlags(applying)
  await prepareFlags(applying)
  await writeConfigs(applying)
  await finishFlags(applying)
  await writeEntries(applying)
  await removeEntries(applying)
  if (source !== undefined) await storeApplied(context, { projectId: project.id, source, files, plan })

  const reply: Applied = { changes: plan.changes.map(toChange), changeRequests: applying.opened }
  return { reply, changes: isDone ? [] : [...quietly(applying.changes), summaryOf(applying, source)] }
})

function refuseTooManyRequests({ changes }: CodePlan): void {
  const count = changes.filter(({ approval, waiting }) => approval && waiting === null).length
  if (count <= limits.codeChangeRequests) return
  throw problem(
    'in-use',
    `This opens ${count} change requests; an application opens at most ${limits.codeChangeRequests}. Apply the folder in parts.`,
  )
}

/** Of a large application, channels are not notified one by one. Change requests wait for a person all the same. */
function quietly(changes: readonly EntityChange[]): EntityChange[] {
  if (changes.length <= limits.codeChangesNotified) return [...changes]
  return changes.map((one) =>
    one.action.startsWith('change-request.')
      ? one
      : { ...one, news: { summary: '', ...one.news, isMuted: true } },
  )
}

function summaryOf({ application, plan }: Applying, source: CodeSource | undefined): EntityChange {
  const { project, reason } = application
  const place = source === undefined ? '' : [source.repository, source.path].filter(Boolean).join(' ')
  return {
    action: 'code.apply',
    entity: { kind: 'code', id: project.id, name: place || 'folder' },
    project,
    after: { changes: plan.changes.length, ...source },
    ...(reason === undefined ? {} : { reason }),
  }
}
