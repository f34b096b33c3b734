import type { Segment } from '../../api/segments.ts'
import { Button } from '../../ui/button.tsx'
import { DiffView } from '../../ui/diff/diff-view.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { conflictsOf, draftOf, draftText } from './segment-draft.ts'
import type { SegmentForm } from './use-segment-form.ts'

const memberWords: Readonly<Record<string, string>> = {
  name: 'the name',
  description: 'the description',
  when: 'the conditions',
}

/** Another member saved first: both versions, each compared with the base. */
export function SegmentConflict({ form, theirs }: { form: SegmentForm; theirs: Segment }) {
  const before = draftOf(form.base)
  const both = conflictsOf(before, form.draft, draftOf(theirs)).map((member) => memberWords[member])

  return (
    <Panel
      title="Someone else saved first"
      actions={
        <>
          <Button onClick={() => form.reset(theirs)}>Discard mine</Button>
          <Button look="primary" onClick={form.goOn}>
            Merge
          </Button>
        </>
      }
    >
      <div className="grid gap-12">
        <Notice
          tone="warn"
          title={`Version ${theirs.version} was saved while you edited version ${form.base.version}`}
          detail={
            both.length === 0
              ? 'Your changes and theirs affect different parts. Merging keeps both. You review the result before saving.'
              : `Both changed ${both.join(' and ')}. Merging keeps yours there and theirs elsewhere. You review the result before saving.`
          }
        />
        <div className="grid min-w-0 gap-12 full:grid-cols-2">
          <section className="grid min-w-0 content-start gap-6">
            <h3 className="font-strong">What they changed</h3>
            <DiffView
              label="What they changed"
              before={draftText(before)}
              after={draftText(draftOf(theirs))}
            />
          </section>
          <section className="grid min-w-0 content-start gap-6">
            <h3 className="font-strong">What you changed</h3>
            <DiffView label="What you changed" before={draftText(before)} after={draftText(form.draft)} />
          </section>
        </div>
      </div>
    </Panel>
  )
}
