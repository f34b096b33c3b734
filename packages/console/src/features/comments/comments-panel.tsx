import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { addComment, type CommentSubject, commentsKey, commentsQuery } from '../../api/comments.ts'
import { newIdempotencyKey } from '../../api/idempotency-key.ts'
import { toProblem } from '../../api/problem.ts'
import { useMay } from '../../shell/account.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async } from '../../ui/states.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { CommentField } from './comment-field.tsx'
import { CommentRow } from './comment-row.tsx'

/** What members say about a flag, a rollout, an error or a session, newest first. */
export function CommentsPanel({ on }: { on: CommentSubject }) {
  const { project } = useScope()
  const comments = useInfiniteQuery(commentsQuery({ project, ...on }))
  const mayWrite = useMay('comments.write')
  return (
    <Panel title="Comments" flush>
      <div id="comments" className="grid min-w-0">
        {mayWrite ? (
          <NewComment on={on} />
        ) : (
          <p className="border-line border-b px-14 py-10 text-12 text-text-2">
            Read-only: editors write comments.
          </p>
        )}
        <Async
          of={comments}
          isEmpty={({ pages }) => pages.every(({ items }) => items.length === 0)}
          empty={<p className="px-14 py-14 text-text-2">No comments yet.</p>}
        >
          {({ pages }) => (
            <>
              <ol aria-label="Comments, newest first">
                {pages
                  .flatMap(({ items }) => items)
                  .map((comment) => (
                    <CommentRow key={comment.id} comment={comment} on={on} />
                  ))}
              </ol>
              <LoadMore of={comments} label="Show older comments" />
            </>
          )}
        </Async>
      </div>
    </Panel>
  )
}

function NewComment({ on }: { on: CommentSubject }) {
  const { project } = useScope()
  const [text, setText] = useState('')
  const [idempotencyKey, setKey] = useState(newIdempotencyKey)
  const queryClient = useQueryClient()
  const adding = useMutation({
    mutationFn: addComment,
    onSuccess: async () => {
      setText('')
      setKey(newIdempotencyKey())
      await queryClient.invalidateQueries({ queryKey: commentsKey({ project, ...on }) })
    },
  })
  function add() {
    if (text.trim() !== '' && !adding.isPending) {
      adding.mutate({ project, ...on, text: text.trim(), idempotencyKey })
    }
  }
  return (
    <form
      className="grid gap-8 border-line border-b px-14 py-10"
      onSubmit={(event) => {
        event.preventDefault()
        add()
      }}
    >
      <ProblemNotice problem={adding.error && toProblem(adding.error)} />
      <CommentField label="Comment" value={text} onValue={setText} onSend={add} />
      <span>
        <Button type="submit" disabled={text.trim() === ''} busy={adding.isPending}>
          Add comment
        </Button>
      </span>
    </form>
  )
}
