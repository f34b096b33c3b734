import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import type { UsedSegment } from '../../api/segments.ts'
import { ManagedInCode } from '../../features/managed-in-code.tsx'
import { useMay } from '../../shell/account.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Button } from '../../ui/button.tsx'
import { type ConditionFault, findMissing } from '../../ui/conditions/condition-faults.ts'
import { ConditionsEditor } from '../../ui/conditions/conditions-editor.tsx'
import { Field, KeyCap, TextArea } from '../../ui/form/field.tsx'
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx'
import { keyCaps, useShortcut } from '../../ui/keyboard.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { SegmentConflict } from './segment-conflict.tsx'
import { changeOf, draftOf, type SegmentDraft } from './segment-draft.ts'
import { SegmentReview } from './segment-review.tsx'
import { SegmentUsage } from './segment-usage.tsx'
import { useSegmentForm } from './use-segment-form.ts'

type SegmentEditorProps = { project: string; segment: UsedSegment }

/** The screen of one segment. Edits are a draft until they are reviewed. */
export function SegmentEditor({ project, segment }: SegmentEditorProps) {
  const form = useSegmentForm(segment)
  const { draft, base, setDraft } = form
  const mayChange = useMay('flags.change')
  const [isReviewing, setReviewing] = useState(false)
  const [faults, setFaults] = useState<readonly ConditionFault[]>([])
  const isReadOnly = !mayChange || segment.managed
  const faultAt = (pointer: string) => faults.find((fault) => fault.pointer === pointer)?.message

  function edit(change: Partial<SegmentDraft>) {
    setDraft({ ...draft, ...change })
    setFaults([])
  }
  function review() {
    const found = findFaults(draft)
    setFaults(found)
    if (found.length === 0) setReviewing(true)
    else focusFault()
  }
  useShortcut(
    form.isDirty && !isReadOnly
      ? { keys: 'mod+s', label: 'Review changes', run: review, always: true }
      : undefined,
  )

  return (
    <>
      <ReadOnlyReason isManaged={segment.managed} mayChange={mayChange} />
      <ManagedInCode kind="segments" entry={segment.key} />
      {form.theirs && <SegmentConflict form={form} theirs={form.theirs} />}
      <div className="grid min-w-0 items-start gap-16 full:grid-cols-[minmax(0,1fr)_304px]">
        <div className="grid min-w-0 gap-16">
          <Panel title="Conditions" note={isReadOnly ? undefined : 'checked on every evaluation'}>
            {!isReadOnly && <ProtectedUse segment={segment} />}
            <ConditionsEditor
              value={draft.when}
              onChange={(when) => edit({ when })}
              errors={faults}
              pointer="/when"
              readOnly={isReadOnly}
            />
          </Panel>
          <Panel title="About">
            <div className="grid max-w-form gap-16">
              <Field
                label="Name"
                value={draft.name}
                onChange={(event) => edit({ name: event.currentTarget.value })}
                maxLength={limits.nameLength}
                fault={faultAt('/name')}
                readOnly={isReadOnly}
                autoComplete="off"
              />
              <TextArea
                label="Description"
                value={draft.description}
                onChange={(event) => edit({ description: event.currentTarget.value })}
                maxLength={limits.descriptionLength}
                fault={faultAt('/description')}
                readOnly={isReadOnly}
              />
            </div>
          </Panel>
          {form.isDirty && !isReadOnly && <SaveBar onDiscard={form.discard} onReview={review} />}
        </div>
        <SegmentUsage project={project} segment={segment} isReadOnly={isReadOnly} />
      </div>
      {isReviewing && (
        <SegmentReview
          project={project}
          segment={segment}
          before={draftOf(base)}
          after={draft}
          version={base.version}
          onSaved={(saved) => {
            setReviewing(false)
            form.reset(saved)
          }}
          onConflict={(theirs) => {
            setReviewing(false)
            form.setTheirs(theirs)
          }}
          onFaults={(found) => {
            setReviewing(false)
            setFaults(found)
            focusFault()
          }}
          onClose={() => setReviewing(false)}
        />
      )}
      <UnsavedGuard
        when={form.isDirty && !isReadOnly && Object.keys(changeOf(base, draft)).length > 0}
        what={`the segment ${segment.key}`}
      />
    </>
  )
}

function ReadOnlyReason({ isManaged, mayChange }: { isManaged: boolean; mayChange: boolean }) {
  if (isManaged) {
    return (
      <Notice
        tone="plain"
        title="Managed by the setup file"
        detail="This segment is defined in the setup file of the installation. Change it there; it is applied at the next start."
      />
    )
  }
  if (mayChange) return null
  return (
    <Notice
      tone="plain"
      title="Read-only"
      detail="Editors of the project can change segments. An admin can give you that role."
    />
  )
}

/** Checks before editing what the server would refuse when saving. */
function ProtectedUse({ segment }: { segment: UsedSegment }) {
  const { environments } = useScope()
  const mayChangeProtected = useMay('flags.change-protected')
  const used = environments.filter(
    ({ key, protected: isProtected }) => isProtected && segment.usedBy.some(({ env }) => env === key),
  )
  if (used.length === 0 || mayChangeProtected) return null
  const names = used.map(({ name }) => name).join(', ')
  return (
    <div className="pb-12">
      <Notice
        tone="info"
        title={`Used by rules in ${names}`}
        detail="While such a flag is on there, only maintainers can change the conditions. You can change name and description."
      />
    </div>
  )
}

function SaveBar({ onDiscard, onReview }: { onDiscard: () => void; onReview: () => void }) {
  return (
    <section
      aria-label="Unsaved changes"
      className="sticky bottom-16 z-20 flex flex-wrap items-center gap-8 rounded-panel border border-line-strong bg-surface px-14 py-10 shadow-menu max-wide:bottom-[68px]"
    >
      <b className="font-strong">Unsaved changes</b>
      <span className="text-text-2 max-wide:hidden">No flag uses them yet.</span>
      <span className="ml-auto flex gap-8">
        <Button look="quiet" onClick={onDiscard}>
          Discard
        </Button>
        <Button look="primary" onClick={onReview}>
          Review changes
          <span className="max-wide:hidden">
            {keyCaps('mod+s').map((cap) => (
              <KeyCap key={cap}>{cap}</KeyCap>
            ))}
          </span>
        </Button>
      </span>
    </section>
  )
}

function findFaults(draft: SegmentDraft): readonly ConditionFault[] {
  return [
    ...(draft.name.trim() === '' ? [{ pointer: '/name', message: 'Enter a name.' }] : []),
    ...findMissing(draft.when, '/when'),
  ]
}

/** Once the faults are rendered, move the focus to the first one. */
function focusFault() {
  requestAnimationFrame(() => {
    document.querySelector<HTMLElement>('#content [aria-invalid=true]')?.focus()
  })
}
