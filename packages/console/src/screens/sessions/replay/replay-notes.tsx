import { useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { newIdempotencyKey } from '../../../api/idempotency-key.ts'
import { toProblem } from '../../../api/problem.ts'
import {
  addReplayNote,
  deleteReplayNote,
  type ReplayNote,
  type ReplayRef,
  replayKey,
} from '../../../api/replays.ts'
import { useAccount, useMayHere } from '../../../shell/account.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { TextArea } from '../../../ui/form/field.tsx'
import { ProblemNotice } from '../../../ui/notice.tsx'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'
import { lengthText } from '../../../ui/text/measure-text.ts'
import { TimeAgo } from '../../../ui/text/time.tsx'
import { listHeightClass } from '../timeline/moment-list.tsx'
import { usePlayheadAt } from '../timeline/playhead-place.ts'
import type { NotedLine } from './recorded-spans.ts'
import type { Played } from './use-playback.ts'

type ReplayNotesProps = {
  place: ReplayRef
  lines: readonly NotedLine[]
  sessionStart: number
  played: Played
  onWrite: () => void
}

/** Members' notes at moments of the recording, and reports of the recorder. */
export function ReplayNotes(props: ReplayNotesProps) {
  const { place, lines, sessionStart, played, onWrite } = props
  const at = usePlayheadAt(played.playback, followStep) ?? 0
  const mayWrite = useMayHere('replays.keep')
  const current = lines.findLast((line) => line.at <= at)
  return (
    <div className={listHeightClass}>
      {mayWrite ? (
        <NewNote place={place} sessionStart={sessionStart} played={played} onWrite={onWrite} />
      ) : (
        <p className="border-line border-b px-14 py-10 text-12 text-text-2">
          Editors of the project can write notes.
        </p>
      )}
      {lines.length === 0 && (
        <p className="px-14 py-20 text-text-2">
          No notes yet. Notes are visible to all members who can see the replay.
        </p>
      )}
      <ol aria-label="Notes, oldest first">
        {lines.map((line) => (
          <NoteRow
            key={line.key}
            line={line}
            place={place}
            isCurrent={line === current}
            onSeek={() => played.seek(line.at)}
          />
        ))}
      </ol>
    </div>
  )
}

/** Milliseconds between two updates during playback. */
const followStep = 250

type NewNoteProps = Pick<ReplayNotesProps, 'place' | 'sessionStart' | 'played' | 'onWrite'>

function NewNote({ place, sessionStart, played, onWrite }: NewNoteProps) {
  const at = usePlayheadAt(played.playback, 1_000) ?? 0
  const [text, setText] = useState('')
  const [idempotencyKey, setKey] = useState(newIdempotencyKey)
  const queryClient = useQueryClient()
  const adding = useMutation({
    mutationFn: addReplayNote,
    onSuccess: async () => {
      setText('')
      setKey(newIdempotencyKey())
      await queryClient.invalidateQueries({ queryKey: replayKey(place) })
    },
  })
  const problem = adding.error && toProblem(adding.error)
  function add() {
    if (text.trim() === '' || adding.isPending) return
    const instant = new Date(sessionStart + Math.round(played.playback.at())).toISOString()
    adding.mutate({ ...place, at: instant, text: text.trim(), idempotencyKey })
  }
  return (
    <form
      className="grid gap-8 border-line border-b px-14 py-10"
      onSubmit={(event) => {
        event.preventDefault()
        add()
      }}
    >
      <ProblemNotice problem={problem} />
      <TextArea
        label={`Note at ${lengthText(at)}`}
        rows={2}
        value={text}
        maxLength={limits.descriptionLength}
        onFocus={onWrite}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) add()
        }}
      />
      <span>
        <Button type="submit" disabled={text.trim() === ''} busy={adding.isPending}>
          Add note
        </Button>
      </span>
    </form>
  )
}

type NoteRowProps = { line: NotedLine; place: ReplayRef; isCurrent: boolean; onSeek: () => void }

function NoteRow({ line: { at, label, note }, place, isCurrent, onSeek }: NoteRowProps) {
  const { user } = useAccount()
  const mayWrite = useMayHere('replays.keep')
  const [isDeleting, setDeleting] = useState(false)
  return (
    <li
      aria-current={isCurrent ? 'true' : undefined}
      className="grid grid-cols-[minmax(0,1fr)_auto] border-line border-b aria-[current=true]:bg-selected aria-[current=true]:shadow-[inset_2px_0_0_var(--accent)]"
    >
      <button
        type="button"
        onClick={onSeek}
        className="grid cursor-pointer grid-cols-[44px_minmax(0,1fr)] gap-x-6 px-14 py-6 text-left -outline-offset-2 hover:bg-hover"
      >
        <span className="text-text-2">{lengthText(at)}</span>
        <span className="grid min-w-0 gap-2">
          <span className="whitespace-pre-line text-pretty [overflow-wrap:anywhere]">{label}</span>
          <span className="text-12 text-text-3">
            {note ? (
              <>
                {note.author}, <TimeAgo at={note.createdAt} />
              </>
            ) : (
              'Added by the recorder'
            )}
          </span>
        </span>
      </button>
      {note && mayWrite && note.author === user.name && (
        <span className="p-6">
          <IconButton icon="trash" label="Delete note" small onClick={() => setDeleting(true)} />
        </span>
      )}
      {note && isDeleting && <DeleteNote place={place} note={note} onClose={() => setDeleting(false)} />}
    </li>
  )
}

function DeleteNote({ place, note, onClose }: { place: ReplayRef; note: ReplayNote; onClose: () => void }) {
  const queryClient = useQueryClient()
  const deleting = useMutation({
    mutationFn: deleteReplayNote,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: replayKey(place) }),
  })
  return (
    <ConfirmDialog
      title="Delete note"
      consequence={`Deletes “${note.text}” for all members.`}
      verb="Delete note"
      busy={deleting.isPending}
      problem={deleting.error && toProblem(deleting.error)}
      onConfirm={() => deleting.mutate({ ...place, note: note.id })}
      onClose={onClose}
    />
  )
}
