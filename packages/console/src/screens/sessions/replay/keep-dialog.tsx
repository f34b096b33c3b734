import { useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { toProblem } from '../../../api/problem.ts'
import { keepReplay, type ReplayRef, releaseReplay, replayKey } from '../../../api/replays.ts'
import { TextArea } from '../../../ui/form/field.tsx'
import { ProblemNotice } from '../../../ui/notice.tsx'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../../ui/overlay/form-buttons.tsx'
import { Time } from '../../../ui/text/time.tsx'

type KeepDialogProps = { place: ReplayRef; expiresAt: string | null; onClose: () => void }

export function KeepDialog({ place, expiresAt, onClose }: KeepDialogProps) {
  const [reason, setReason] = useState('')
  const queryClient = useQueryClient()
  const keeping = useMutation({
    mutationFn: keepReplay,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: replayKey(place) })
      onClose()
    },
  })
  const problem = keeping.error && toProblem(keeping.error)
  return (
    <Dialog
      title="Keep replay"
      description={
        <>
          Kept until released
          {expiresAt && (
            <>
              , and is not deleted on <Time at={expiresAt} />
            </>
          )}
          . Later segments of the session are kept too.
        </>
      }
      onClose={onClose}
      onSubmit={() => !keeping.isPending && keeping.mutate({ ...place, reason: reason.trim() })}
      footer={<FormButtons verb="Keep replay" busy={keeping.isPending} onCancel={onClose} />}
    >
      <ProblemNotice problem={problem} />
      <TextArea
        label="Reason"
        hint="Visible to all members. Optional."
        value={reason}
        maxLength={limits.descriptionLength}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </Dialog>
  )
}

export function ReleaseDialog({ place, onClose }: { place: ReplayRef; onClose: () => void }) {
  const queryClient = useQueryClient()
  const releasing = useMutation({
    mutationFn: releaseReplay,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: replayKey(place) })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title="Release replay"
      consequence="It is deleted when its retention ends, or tonight if it has already ended."
      verb="Release replay"
      busy={releasing.isPending}
      problem={releasing.error && toProblem(releasing.error)}
      onConfirm={() => releasing.mutate(place)}
      onClose={onClose}
    />
  )
}
