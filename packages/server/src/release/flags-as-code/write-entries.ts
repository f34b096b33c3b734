import { problem } from '@telltale/core/errors'
import { mayInProject } from '@telltale/core/rights'
import { archiveFlag } from '../flags/archive-flag.ts'
import { deleteSegment } from '../segments/delete-segment.ts'
import { type Applying, onEntry } from './applying.ts'
import type { EntryKind } from './entry-kinds.ts'
import type { PlannedConfig } from './plan-code.ts'

/** In this order: a rollout template uses metrics, and a tile may show an alert. */
export async function writeEntries(applying: Applying): Promise<void> {
  const { metrics, rolloutTemplates, alerts, dashboards } = applying.application.kinds
  const { target } = applying.plan
  for (const planned of applying.plan.changes) {
    if (planned.action === 'remove' || planned.action === 'forget') continue
    if (planned.kind === 'metrics')
      await write(applying, planned, { by: metrics, after: target.metrics.get(planned.key) })
    if (planned.kind === 'rolloutTemplates') {
      const after = target.rolloutTemplates.get(planned.key)
      await write(applying, planned, { by: rolloutTemplates, after })
    }
    if (planned.kind === 'alerts')
      await write(applying, planned, { by: alerts, after: target.alerts.get(planned.key) })
    if (planned.kind === 'dashboards') {
      await write(applying, planned, { by: dashboards, after: target.dashboards.get(planned.key) })
    }
  }
}

/** What is no longer in the folder: flags are archived, everything else is deleted. What uses others goes first. */
export async function removeEntries(applying: Applying): Promise<void> {
  const { context, application, plan, changes } = applying
  const { policy, project, grant, kinds } = application
  const removed = plan.changes.filter(({ action }) => action === 'remove')
  for (const planned of removed.filter(({ kind }) => kind === 'rolloutTemplates'))
    await write(applying, planned, { by: kinds.rolloutTemplates, after: undefined })
  for (const planned of removed) {
    const { kind, key } = planned
    if (kind === 'flags') {
      const done = await onEntry(planned, () => archiveFlag.verb(context, { policy, project, grant, key }))
      changes.push(...done.changes)
    }
    if (kind === 'dashboards') await write(applying, planned, { by: kinds.dashboards, after: undefined })
    if (kind === 'alerts') await write(applying, planned, { by: kinds.alerts, after: undefined })
    if (kind === 'metrics') await write(applying, planned, { by: kinds.metrics, after: undefined })
  }
  for (const planned of removed.filter(({ kind }) => kind === 'segments')) {
    const done = await onEntry(planned, () => deleteSegment.verb(context, { project, key: planned.key }))
    changes.push(...done.changes)
  }
}

async function write<Entry>(
  { context, application, changes }: Applying,
  planned: PlannedConfig,
  { by, after }: { by: EntryKind<Entry>; after: Entry | undefined },
): Promise<void> {
  const { project, grant, author } = application
  const done = await onEntry(planned, async () => {
    const permission = 'flags.change'
    // Alerts ask for another one, in their environment.
    if (planned.kind !== 'alerts' && !mayInProject(grant, permission))
      throw problem('forbidden', { permission })
    return by.write(context, { project, author, grant, key: planned.key, after })
  })
  changes.push(...done)
}
