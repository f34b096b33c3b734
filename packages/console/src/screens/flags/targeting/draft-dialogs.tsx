import { isOffSwitch } from '@telltale/core/changes/patch-config'
import { useState } from 'react'
import type { Environment } from '../../../api/environments.ts'
import type { SavedConfig } from '../../../api/flag-configs.ts'
import { useMay } from '../../../shell/account.ts'
import { useScope } from '../../../shell/scope-context.ts'
import { showToast } from '../../../ui/overlay/toast.tsx'
import { ConflictView } from './conflict-view.tsx'
import { CopyDialog } from './copy-dialog.tsx'
import { draftOf } from './draft.ts'
import { ReviewChanges } from './review-changes.tsx'
import { ScheduleDialog } from './schedule-dialog.tsx'
import { useTargeting } from './targeting-context.ts'
import type { useDraft } from './use-draft.ts'
import { type Refused, useSaving } from './use-saving.ts'

export type OpenDialog =
  | { readonly kind: 'review' }
  | { readonly kind: 'schedule' }
  | { readonly kind: 'copy' }
  | { readonly kind: 'conflict'; readonly theirs: SavedConfig }

type DraftDialogsProps = {
  dialog: OpenDialog | undefined
  onDialog: (dialog: OpenDialog | undefined) => void
  environment: Environment
  drafting: ReturnType<typeof useDraft>
  onRefused: (refused: Refused | undefined) => void
}

const scheduledText = {
  scheduled: 'Change scheduled.',
  proposed: 'Change request opened for the scheduled time.',
}

/** The dialogs between a draft and its users: review, conflict and schedule; and copying from another environment. */
export function DraftDialogs({ dialog, onDialog, environment, drafting, onRefused }: DraftDialogsProps) {
  const { place } = useTargeting()
  const { environments } = useScope()
  const { base, draft, startFrom } = drafting
  const needsApproval = useNeedsApproval(environment, drafting)
  const [reason, setReason] = useState('')
  const close = () => onDialog(undefined)

  const { save, isSaving, problem, forget } = useSaving({
    place,
    onSaved: (outcome) => {
      close()
      onRefused(undefined)
      setReason('')
      if (outcome.kind === 'saved') {
        startFrom(outcome.config)
        showToast({ text: `Saved to ${environment.name}.` })
        return
      }
      drafting.change(() => base.draft)
      showToast({ text: 'Change request opened. The change is saved once another member approves it.' })
    },
    onConflict: (theirs) => onDialog({ kind: 'conflict', theirs }),
    onRefused: (refused) => {
      close()
      onRefused(refused)
    },
  })

  switch (dialog?.kind) {
    case undefined:
      return null
    case 'review':
      return (
        <ReviewChanges
          environment={environment}
          before={base.draft}
          after={draft}
          needsApproval={needsApproval}
          busy={isSaving}
          problem={problem}
          startReason={reason}
          onConfirm={(given) => {
            setReason(given)
            save({ draft, version: base.version, reason: given })
          }}
          onClose={() => {
            forget()
            close()
          }}
        />
      )
    case 'schedule':
      return (
        <ScheduleDialog
          environment={environment}
          before={base.draft}
          after={draft}
          needsApproval={needsApproval}
          onScheduled={(outcome) => {
            close()
            drafting.change(() => base.draft)
            showToast({ text: scheduledText[outcome.kind] })
          }}
          onClose={close}
        />
      )
    case 'copy':
      return (
        <CopyDialog
          draft={draft}
          others={environments.filter(({ key }) => key !== environment.key)}
          onCopy={(from) => {
            drafting.change(() => from)
            close()
          }}
          onClose={close}
        />
      )
    case 'conflict':
      return (
        <ConflictView
          base={base.draft}
          mine={draft}
          theirs={draftOf(dialog.theirs)}
          onMerged={(merged) => {
            startFrom(dialog.theirs, merged)
            onDialog({ kind: 'review' })
          }}
          onClose={close}
        />
      )
  }
}

/** Turning a flag off needs no approval, for members who may do it. */
function useNeedsApproval(
  { key, approvalRequired }: Environment,
  { base, draft }: DraftDialogsProps['drafting'],
) {
  const mayChangeProtected = useMay('flags.change-protected', key)
  return approvalRequired && !(mayChangeProtected && isOffSwitch(base.draft, draft))
}
