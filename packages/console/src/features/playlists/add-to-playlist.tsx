import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { addToPlaylist, createPlaylist, playlistsKey, playlistsQuery } from '../../api/playlists.ts'
import { toProblem } from '../../api/problem.ts'
import { replayKey } from '../../api/replays.ts'
import { useMayHere } from '../../shell/account.ts'
import { MayNoticeHere } from '../../shell/may-notice.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/form/choice.tsx'
import { Field, TextArea } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../ui/overlay/form-buttons.tsx'
import { showToast } from '../../ui/overlay/toast.tsx'
import { Async } from '../../ui/states.tsx'

interface AddedSession {
  readonly id: string
  /** There is a recording that could be kept. */
  readonly mayBeKept: boolean
}

type AddToPlaylistProps = { session: AddedSession; small?: boolean }

export function AddToPlaylist({ session, small = false }: AddToPlaylistProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        icon="plus"
        size={small ? 'small' : 'normal'}
        aria-label="Add to playlist…"
        onClick={() => setOpen(true)}
      >
        <span className={small ? '' : 'max-wide:hidden'}>{small ? 'Add to playlist…' : 'Playlist'}</span>
      </Button>
      {isOpen && <AddDialog session={session} onClose={() => setOpen(false)} />}
    </>
  )
}

function AddDialog({ session, onClose }: { session: AddedSession; onClose: () => void }) {
  const { project, environment } = useScope()
  const place = { project, env: environment.key }
  const mayAdd = useMayHere('replays.keep')
  const playlists = useQuery({ ...playlistsQuery(place), enabled: mayAdd })
  if (!mayAdd) {
    return (
      <Dialog title="Add to playlist" onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
        <MayNoticeHere permission="replays.keep" />
      </Dialog>
    )
  }
  if (playlists.data === undefined) {
    return (
      <Dialog title="Add to playlist" onClose={onClose}>
        <Async of={playlists}>{() => null}</Async>
      </Dialog>
    )
  }
  return <AddForm session={session} playlists={playlists.data} onClose={onClose} />
}

const isNew = 'new'

type AddFormProps = {
  session: AddedSession
  playlists: readonly { id: string; name: string }[]
  onClose: () => void
}

function AddForm({ session, playlists, onClose }: AddFormProps) {
  const [chosen, setChosen] = useState(playlists[0]?.id ?? isNew)
  const [name, setName] = useState('')
  const [note, setNote] = useState('')
  const [keep, setKeep] = useState(false)
  const [fault, setFault] = useState<string>()
  const adding = useAdding(session, onClose)
  const problem = adding.error && toProblem(adding.error)
  const isTaken = problem?.is('already-exists')
  function submit() {
    if (adding.isPending) return
    if (chosen === isNew && name.trim() === '') return setFault('Give the playlist a name.')
    adding.mutate({ chosen: chosen === isNew ? { name: name.trim() } : chosen, note: note.trim(), keep })
  }
  return (
    <Dialog
      title="Add to playlist"
      onClose={onClose}
      onSubmit={submit}
      footer={<FormButtons verb="Add session" busy={adding.isPending} onCancel={onClose} />}
    >
      {!isTaken && <ProblemNotice problem={problem} />}
      <Select
        label="Playlist"
        value={chosen}
        onValue={setChosen}
        options={[
          ...playlists.map(({ id, name }) => ({ value: id, label: name })),
          { value: isNew, label: 'New playlist…' },
        ]}
      />
      {chosen === isNew && (
        <Field
          label="Name of the new playlist"
          value={name}
          maxLength={limits.nameLength}
          fault={fault ?? (isTaken ? problem?.detail : undefined)}
          onChange={(event) => {
            setFault(undefined)
            setName(event.currentTarget.value)
          }}
        />
      )}
      <TextArea
        label="Note"
        hint="Why it is worth watching. Optional."
        rows={2}
        value={note}
        maxLength={limits.descriptionLength}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      {session.mayBeKept && (
        <Checkbox
          label="Keep the replay past its retention"
          hint="Otherwise it is shown as deleted when its retention ends."
          checked={keep}
          onChecked={setKeep}
        />
      )}
    </Dialog>
  )
}

interface Adding {
  chosen: string | { name: string }
  note: string
  keep: boolean
}

function useAdding({ id }: AddedSession, onClose: () => void) {
  const { project, environment } = useScope()
  const place = { project, env: environment.key }
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: async ({ chosen, note, keep }: Adding) => {
      const playlist =
        typeof chosen === 'string'
          ? chosen
          : (await createPlaylist({ ...place, draft: { name: chosen.name } })).id
      return addToPlaylist({ ...place, playlist, added: { sessions: [id], note, keep } })
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: playlistsKey(place) }),
    onSuccess: async (playlist) => {
      onClose()
      showToast({
        text: `Added to ${playlist.name}.`,
        action: {
          label: 'Open playlist',
          run: () =>
            void navigate({
              to: '/p/$project/playlists/$playlist',
              params: { project, playlist: playlist.id },
              search: { env: environment.key },
            }),
        },
      })
      await queryClient.invalidateQueries({ queryKey: replayKey({ ...place, session: id }) })
    },
  })
}
