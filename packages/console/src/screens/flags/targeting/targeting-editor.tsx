import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Environment } from '../../../api/environments.ts'
import type { ConfigRef, SavedConfig, TargetedFlag } from '../../../api/flag-configs.ts'
import { identitiesQuery } from '../../../api/identities.ts'
import { runningRolloutsQuery } from '../../../api/rollouts.ts'
import { segmentsQuery } from '../../../api/segments.ts'
import { useScope } from '../../../shell/scope-context.ts'
import { Button } from '../../../ui/button.tsx'
import { suggestAttributes } from '../../../ui/form/suggest-attributes.ts'
import { UnsavedGuard } from '../../../ui/form/unsaved-guard.tsx'
import { useShortcut } from '../../../ui/keyboard.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { showToast } from '../../../ui/overlay/toast.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { DefaultPanel } from './default-panel.tsx'
import { countChanges } from './draft.ts'
import { DraftDialogs, type OpenDialog } from './draft-dialogs.tsx'
import { type DraftFault, findFaults, stillTrue } from './faults.ts'
import { LastChange } from './last-change.tsx'
import { OverridesPanel } from './overrides-panel.tsx'
import { PrerequisitesPanel } from './prerequisites-panel.tsx'
import { RemovedSplits } from './removed-splits.tsx'
import { RulesPanel } from './rules-panel.tsx'
import { SaveBar } from './save-bar.tsx'
import { SwitchPanel } from './switch-panel.tsx'
import { type Targeting, TargetingContext } from './targeting-context.ts'
import { TryIt } from './try-it.tsx'
import { useDraft } from './use-draft.ts'
import { useRights } from './use-rights.ts'
import type { Refused } from './use-saving.ts'
import { WaitingPanel } from './waiting-panel.tsx'

const shownFaults = 5

/** All faults in one place. Each is also shown at its part. */
function FaultsNotice({ faults, refused }: { faults: readonly DraftFault[]; refused: Refused | undefined }) {
  const messages = [...new Set(faults.map(({ message }) => message))]
  const hidden = messages.length - shownFaults
  return (
    <Notice
      title={refused?.problem.title ?? 'Incomplete'}
      detail={
        <ul>
          {messages.slice(0, shownFaults).map((message) => (
            <li key={message}>{message}</li>
          ))}
          {hidden > 0 && <li>and {hidden} more</li>}
        </ul>
      }
      requestId={refused?.problem.requestId}
    />
  )
}

type TargetingEditorProps = {
  flag: TargetedFlag
  environment: Environment
  config: SavedConfig
  place: ConfigRef
}

export function TargetingEditor({ flag, environment, config, place }: TargetingEditorProps) {
  const drafting = useDraft(config)
  const { base, draft, isDirty, change } = drafting
  const targeting = useTargetingOf({ flag, environment, place })
  const isEditable = targeting.readOnly === undefined
  const [dialog, setDialog] = useState<OpenDialog>()
  const [isChecked, setChecked] = useState(false)
  const [refused, setRefused] = useState<Refused>()
  const missing = isChecked ? findFaults(draft) : []
  const reported = refused ? stillTrue(refused.faults, refused.sent, draft) : []
  const faults = [...missing, ...reported]

  /** Opens the next step of saving, unless there are faults. */
  function check(next: OpenDialog) {
    setChecked(true)
    if (isDirty && findFaults(draft).length === 0) setDialog(next)
  }
  function discard() {
    change(() => base.draft)
    setChecked(false)
    showToast({ text: 'Changes discarded.', undo: () => change(() => draft) })
  }
  const undo = drafting.canUndo ? drafting.undo : undefined
  const redo = drafting.canRedo ? drafting.redo : undefined
  useShortcut(
    isDirty ? { keys: 'mod+s', label: 'Review changes', run: () => check({ kind: 'review' }) } : undefined,
  )
  useShortcut(undo ? { keys: 'mod+z', label: 'Undo', run: undo } : undefined)
  useShortcut(redo ? { keys: 'mod+Z', label: 'Redo', run: redo } : undefined)

  return (
    <TargetingContext value={targeting}>
      <div className="grid min-w-0 items-start gap-16 full:grid-cols-[minmax(0,1fr)_304px]">
        <div className="grid min-w-0 gap-16">
          {targeting.readOnly && <Notice tone="plain" title="Read-only" detail={targeting.readOnly} />}
          <RemovedSplits {...place} />
          <WaitingPanel saved={base.draft} />
          {drafting.isBehind && (
            <Notice
              tone="warn"
              title="Someone else saved in the meantime"
              detail="Your changes are still here. Compare both versions before you continue."
              action={
                <Button onClick={() => setDialog({ kind: 'conflict', theirs: config })}>Compare</Button>
              }
            />
          )}
          {faults.length > 0 && (
            <FaultsNotice faults={faults} refused={reported.length > 0 ? refused : undefined} />
          )}
          <SwitchPanel draft={draft} faults={faults} onChange={change} />
          <PrerequisitesPanel draft={draft} faults={faults} onChange={change} />
          <OverridesPanel />
          <RulesPanel draft={draft} base={base.draft} faults={faults} onChange={change} />
          <DefaultPanel draft={draft} base={base.draft} faults={faults} onChange={change} />
          {isEditable && (isDirty || drafting.canRedo) && (
            <SaveBar
              count={countChanges(base.draft, draft)}
              faults={faults.length}
              undo={undo}
              redo={redo}
              onDiscard={discard}
              onSchedule={() => check({ kind: 'schedule' })}
              onReview={() => check({ kind: 'review' })}
            />
          )}
        </div>
        <aside className="grid min-w-0 gap-16" aria-label="Try it and compare">
          <TryIt draft={draft} saved={base.draft} isDirty={isDirty} />
          <LastChange />
          <ComparePanel onCompare={() => setDialog({ kind: 'copy' })} />
        </aside>
      </div>
      <DraftDialogs
        dialog={dialog}
        onDialog={setDialog}
        environment={environment}
        drafting={drafting}
        onRefused={setRefused}
      />
      <UnsavedGuard when={isDirty} what={`the targeting of ${place.flag}`} perEnvironment perTab />
    </TargetingContext>
  )
}

function ComparePanel({ onCompare }: { onCompare: () => void }) {
  const { environments } = useScope()
  if (environments.length < 2) return null
  return (
    <Panel title="Other environments">
      <p className="pb-8 text-text-2">
        Compare with another environment and copy differences into your draft.
      </p>
      <Button icon="copy" onClick={onCompare}>
        Compare and copy…
      </Button>
    </Panel>
  )
}

function useTargetingOf(of: Omit<TargetingEditorProps, 'config'>): Targeting {
  const { flag, environment, place } = of
  const identities = useInfiniteQuery(identitiesQuery(place, {}))
  const segments = useQuery(segmentsQuery(place.project)).data
  const rights = useRights(environment, flag.archivedAt !== null)
  const running = useQuery(runningRolloutsQuery(place)).data
  const seen = identities.data
  const attributes = useMemo(() => suggestAttributes(seen?.pages.flatMap(({ items }) => items) ?? []), [seen])
  return {
    place,
    envName: environment.name,
    variations: flag.variations,
    attributes,
    segments,
    ...rights,
    guarded: useMemo(() => new Map(running?.map((rollout) => [rollout.place, rollout])), [running]),
  }
}
