import { isSame } from '@telltale/core/changes/same'
import type { Draft } from './draft.ts'
import type { ChangeDraft } from './draft-panel.ts'
import type { DraftFault } from './faults.ts'
import { GuardedServe } from './guarded-serve.tsx'
import { Section } from './section.tsx'
import { ServeEditor } from './serve-editor.tsx'
import { ServeView } from './serve-view.tsx'
import { useTargeting } from './targeting-context.ts'

type DefaultPanelProps = {
  draft: Draft
  /** As saved. */
  base: Draft
  faults: readonly DraftFault[]
  onChange: ChangeDraft
}

const besideRules = { title: 'Everyone else', note: 'users who match no rule' }

export function DefaultPanel({ draft, base, faults, onChange }: DefaultPanelProps) {
  const { readOnly } = useTargeting()
  return (
    <Section {...(draft.rules.length > 0 ? besideRules : { title: 'Everyone' })}>
      <div className="rounded-panel border border-line bg-surface px-14 py-12">
        <GuardedServe
          place="fallthrough"
          saved={base.fallthrough}
          isEdited={!isSame(base.fallthrough, draft.fallthrough)}
        >
          {readOnly === undefined ? (
            <ServeEditor
              serve={draft.fallthrough}
              onServe={(fallthrough, about) => onChange((now) => ({ ...now, fallthrough }), about)}
              pointer="/fallthrough"
              faults={faults}
            />
          ) : (
            <ServeView serve={draft.fallthrough} />
          )}
        </GuardedServe>
      </div>
    </Section>
  )
}
