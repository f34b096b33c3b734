import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type Comment,
  type CommentSubject,
  commentsKey,
  deleteComment,
  updateComment,
} from '../../api/comments.ts'
import { toProblem } from '../../api/problem.ts'
import { useAccount, useMay } from '../../shell/account.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx'
import { Avatar } from '../../ui/tag.tsx'
import { Markdown } from '../../ui/text/markdown.tsx'
import { TimeAgo } from '../../ui/text/time.tsx'
import { CommentField } from './comment-field.tsx'

type CommentRowProps = { comment: Comment; on: CommentSubject }

export function CommentRow({ comment, on }: CommentRowProps) {
  const { user } = useAccount()
  const isOwn = comment.author.id === user.id
  const mayWrite = useMay('comments.write')
  const isAdmin = useMay('members.manage')
  const [isEditing, setEditing] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  return (
    <li className="grid min-w-0 gap-6 border-line border-t px-14 py-10 first:border-t-0">
      <div className="flex min-w-0 items-center gap-8">
        <Avatar name={comment.author.name} />
        <span className="min-w-0 truncate font-medium">{comment.author.name}</span>
        <span className="shrink-0 text-12 text-text-3">
          <TimeAgo at={comment.createdAt} />
          {comment.editedAt !== null && ', edited'}
        </span>
        <span className="ml-auto flex shrink-0 gap-4">
          {isOwn && mayWrite && (
            <IconButton icon="edit" label="Edit comment" small onClick={() => setEditing(true)} />
          )}
          {((isOwn && mayWrite) || isAdmin) && (
            <IconButton icon="trash" label="Delete comment" small onClick={() => setDeleting(true)} />
          )}
        </span>
      </div>
      {isEditing ? (
        <EditComment comment={comment} on={on} onClose={() => setEditing(false)} />
      ) : (
        <Markdown text={comment.text} emphasised={comment.mentions.map(({ name }) => `@${name}`)} />
      )}
      {isDeleting && <DeleteComment comment={comment} on={on} onClose={() => setDeleting(false)} />}
    </li>
  )
}

type ChangeProps = CommentRowProps & { onClose: () => void }

function useAfterChange(on: CommentSubject, onClose: () => void) {
  const { project } = useScope()
  const queryClient = useQueryClient()
  return async () => {
    onClose()
    await queryClient.invalidateQueries({ queryKey: commentsKey({ project, ...on }) })
  }
}

function EditComment({ comment, on, onClose }: ChangeProps) {
  const { project } = useScope()
  const [text, setText] = useState(comment.text)
  const saving = useMutation({ mutationFn: updateComment, onSuccess: useAfterChange(on, onClose) })
  function save() {
    if (text.trim() !== '') saving.mutate({ project, comment: comment.id, text: text.trim() })
  }
  return (
    <form
      className="grid gap-8"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <ProblemNotice problem={saving.error && toProblem(saving.error)} />
      <CommentField label="Edit comment" value={text} onValue={setText} onSend={save} />
      <span className="flex gap-8">
        <Button type="submit" busy={saving.isPending} disabled={text.trim() === ''}>
          Save
        </Button>
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
      </span>
    </form>
  )
}

function DeleteComment({ comment, on, onClose }: ChangeProps) {
  const { project } = useScope()
  const deleting = useMutation({ mutationFn: deleteComment, onSuccess: useAfterChange(on, onClose) })
  return (
    <ConfirmDialog
      title="Delete the comment"
      consequence="It disappears for all members, also from the inbox of those it mentions."
      verb="Delete"
      busy={deleting.isPending}
      problem={deleting.error && toProblem(deleting.error)}
      onConfirm={() => deleting.mutate({ project, comment: comment.id })}
      onClose={onClose}
    />
  )
}
