import { useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { createPlaylist, type Playlist, playlistsKey, updatePlaylist } from '../../api/playlists.ts'
import { toProblem } from '../../api/problem.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Field, TextArea } from '../../ui/form/field.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../ui/overlay/form-buttons.tsx'

type PlaylistDialogProps = {
  /** Without it, a new one is created. */
  playlist?: Playlist
  onDone: (playlist: Playlist) => void
  onClose: () => void
}

/** The name and the description of a playlist. */
export function PlaylistDialog({ playlist, onDone, onClose }: PlaylistDialogProps) {
  const { project, environment } = useScope()
  const place = { project, env: environment.key }
  const [name, setName] = useState(playlist?.name ?? '')
  const [description, setDescription] = useState(playlist?.description ?? '')
  const [fault, setFault] = useState<string>()
  const queryClient = useQueryClient()
  const saving = useMutation({
    mutationFn: (draft: { name: string; description: string }) =>
      playlist
        ? updatePlaylist({ ...place, playlist: playlist.id, change: draft })
        : createPlaylist({ ...place, draft }),
    onSuccess: async (saved) => {
      await queryClient.invalidateQueries({ queryKey: playlistsKey(place) })
      onDone(saved)
      onClose()
    },
  })
  const problem = saving.error && toProblem(saving.error)
  const isTaken = problem?.is('already-exists')
  function submit() {
    if (saving.isPending) return
    if (name.trim() === '') return setFault('Give the playlist a name.')
    saving.mutate({ name: name.trim(), description: description.trim() })
  }
  return (
    <Dialog
      title={playlist ? 'Rename playlist' : 'New playlist'}
      onClose={onClose}
      onSubmit={submit}
      footer={
        <FormButtons
          verb={playlist ? 'Save' : 'Create playlist'}
          busy={saving.isPending}
          onCancel={onClose}
        />
      }
    >
      {!isTaken && <ProblemNotice problem={problem} />}
      <Field
        label="Name"
        value={name}
        maxLength={limits.nameLength}
        fault={fault ?? (isTaken ? problem?.detail : undefined)}
        onChange={(event) => {
          setFault(undefined)
          setName(event.currentTarget.value)
        }}
      />
      <TextArea
        label="Description"
        hint="Optional."
        value={description}
        maxLength={limits.descriptionLength}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
    </Dialog>
  )
}
