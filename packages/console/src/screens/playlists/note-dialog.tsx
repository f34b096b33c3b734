import { useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { changeInPlaylist, type PlaylistItem, playlistsKey } from '../../api/playlists.ts'
import { toProblem } from '../../api/problem.ts'
import { useScope } from '../../shell/scope-context.ts'
import { TextArea } from '../../ui/form/field.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../ui/overlay/form-buttons.tsx'

type NoteDialogProps = { playlist: string; item: PlaylistItem; onClose: () => void }

export function NoteDialog({ playlist, item, onClose }: NoteDialogProps) {
  const { project, environment } = useScope()
  const place = { project, env: environment.key }
  const [note, setNote] = useState(item.note)
  const queryClient = useQueryClient()
  const saving = useMutation({
    mutationFn: changeInPlaylist,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: playlistsKey(place) })
      onClose()
    },
  })
  return (
    <Dialog
      title="Note"
      onClose={onClose}
      onSubmit={() =>
        !saving.isPending &&
        saving.mutate({ ...place, playlist, session: item.session, change: { note: note.trim() } })
      }
      footer={<FormButtons verb="Save note" busy={saving.isPending} onCancel={onClose} />}
    >
      <ProblemNotice problem={saving.error && toProblem(saving.error)} />
      <TextArea
        label="Why it is in the playlist"
        value={note}
        maxLength={limits.descriptionLength}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </Dialog>
  )
}
