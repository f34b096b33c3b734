import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FoundSessions, foundSessionsQuery } from '../../api/funnels.ts'
import type { Question } from '../../api/question.ts'
import type { SessionRow } from '../../api/sessions.ts'
import { playheadOf } from '../../features/replays/replay-moments.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Peek } from '../../ui/overlay/peek.tsx'
import { Async } from '../../ui/states.tsx'
import { countOf, lengthText } from '../../ui/text/measure-text.ts'
import { TimeAgo } from '../../ui/text/time.tsx'

type FoundSessionsPeekProps = {
  title: string
  question: Question
  found: FoundSessions
  onClose: () => void
}

/** The sessions behind a number, latest first, each with its replay. */
export function FoundSessionsPeek({ title, question, found, onClose }: FoundSessionsPeekProps) {
  const sessions = useInfiniteQuery(foundSessionsQuery(question, found))
  return (
    <Peek title={title} onClose={onClose}>
      <Async
        of={sessions}
        isEmpty={({ pages }) => pages.every(({ items }) => items.length === 0)}
        empty={<p className="text-text-2">No sessions.</p>}
      >
        {({ pages }) => (
          <>
            <ul aria-label="Sessions">
              {pages.flatMap(({ items }) =>
                items.map((session) => (
                  <li key={session.id} className="border-line border-b last:border-b-0">
                    <SessionLink session={session} env={question.env} />
                  </li>
                )),
              )}
            </ul>
            {sessions.hasNextPage && (
              <div className="pt-12">
                <Button busy={sessions.isFetchingNextPage} onClick={() => void sessions.fetchNextPage()}>
                  Show more
                </Button>
              </div>
            )}
          </>
        )}
      </Async>
    </Peek>
  )
}

function SessionLink({ session, env }: { session: SessionRow; env: string }) {
  const { project } = useScope()
  const { id, replay, startedAt, userKey, exitPage, length, views, errors } = session
  const offset = replay === null ? 0 : Math.max(0, Date.parse(replay.startedAt) - Date.parse(startedAt))
  return (
    <Link
      to="/p/$project/sessions/$session"
      params={{ project, session: id }}
      search={{ env }}
      {...(replay !== null && { hash: playheadOf(offset) })}
      className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-10 py-8 hover:bg-hover"
    >
      <Icon
        name={replay === null ? 'page' : 'session'}
        className={`mt-2 size-16 ${replay === null ? 'text-text-3' : 'text-accent'}`}
      />
      <span className="grid min-w-0 gap-2">
        <span className="flex min-w-0 gap-8">
          {replay !== null && <span className="sr-only">Watch </span>}
          <span className="truncate">{userKey || 'guest'}</span>
          <TimeAgo at={startedAt} />
        </span>
        <span className="flex min-w-0 flex-wrap gap-x-8 text-12 text-text-3">
          <span>{lengthText(length)}</span>
          <span>{countOf(views, 'page')}</span>
          {errors > 0 && <span className="text-bad">{countOf(errors, 'error')}</span>}
          <code className="min-w-0 truncate">{exitPage}</code>
          <span>{replay === null ? 'not recorded' : 'replay'}</span>
        </span>
      </span>
    </Link>
  )
}
