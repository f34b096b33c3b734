import { createSegment } from '../segments/create-segment.ts'
import { updateSegment } from '../segments/update-segment.ts'
import { type Applying, onEntry } from './applying.ts'

/** New and changed segments. Those that go are deleted after the flags that used them were changed. */
export async function writeSegments({ context, application, plan, changes }: Applying): Promise<void> {
  const { policy, project, grant, endsEvidenceOf } = application
  for (const planned of plan.changes) {
    const content = planned.kind === 'segments' ? plan.target.segments.get(planned.key) : undefined
    if (content === undefined) continue
    const done = await onEntry(planned, () => {
      if (planned.action === 'create') {
        return createSegment.verb(context, { project, draft: { key: planned.key, ...content } })
      }
      const draft = { ...content, ...(endsEvidenceOf && { endsEvidenceOf: [...endsEvidenceOf] }) }
      return updateSegment.verb(context, {
        policy,
        project,
        grant,
        key: planned.key,
        draft,
        ifMatch: undefined,
      })
    })
    changes.push(...done.changes)
  }
}
