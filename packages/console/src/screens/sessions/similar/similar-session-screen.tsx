import { useQuery } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { toProblem } from '../../../api/problem.ts'
import {
  type Session,
  type SimilarSession,
  sessionQuery,
  similarSessionQuery,
} from '../../../api/sessions.ts'
import { useScope } from '../../../shell/scope-context.ts'
import { Screen } from '../../../shell/screen.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Async, Empty, Skeleton, Trouble } from '../../../ui/states.tsx'
import { countOf, shareText } from '../../../ui/text/measure-text.ts'
import { NoSession } from '../no-session.tsx'
import { whoText } from '../session-words.ts'
import { SideBySide } from './side-by-side.tsx'

/** A session beside the most similar one of a user with the other variation. */
export function SimilarSessionScreen() {
  const { project, environment } = useScope()
  const { session: id } = useParams({ from: '/p/$project/sessions/$session/similar' })
  const { flag = '', control = '' } = useSearch({ from: '/p/$project/sessions/$session/similar' })
  const place = { project, env: environment.key }
  const session = useQuery(sessionQuery(place, id))
  const similar = useQuery({
    ...similarSessionQuery(place, { session: id, flag, control }),
    enabled: flag !== '' && control !== '',
  })
  const isLost =
    session.error !== null && ['not-found', 'invalid-request'].includes(toProblem(session.error).code)

  return (
    <Screen
      title="Similar session"
      scope="none"
      crumbs={
        <Link
          to="/p/$project/sessions/$session"
          params={{ project, session: id }}
          search={{}}
          className="hover:text-text"
        >
          {session.data ? whoText(session.data) : 'Session'}
        </Link>
      }
    >
      {isLost && <NoSession id={id} />}
      {session.error && !isLost && !session.data && (
        <Trouble error={session.error} onRetry={() => void session.refetch()} />
      )}
      {(flag === '' || control === '') && <NoFlag id={id} />}
      {session.data && flag !== '' && control !== '' && (
        <Async of={similar} loading={<Skeleton rows={8} label="Searching for a similar session" />}>
          {(found) =>
            found.similar === null ? (
              <NoSimilarSession flag={flag} control={control} />
            ) : (
              <WithSimilarSession
                key={found.similar.session}
                session={session.data}
                similar={found.similar}
                flag={flag}
                control={control}
                lookedAt={found.lookedAt}
              />
            )
          }
        </Async>
      )}
    </Screen>
  )
}

function NoFlag({ id }: { id: string }) {
  const { project } = useScope()
  return (
    <Panel>
      <Empty
        title="Choose a variation"
        action={
          <Link
            to="/p/$project/sessions/$session"
            params={{ project, session: id }}
            search={{}}
            className={buttonClass()}
          >
            Back to session
          </Link>
        }
      >
        Open similar sessions from the flags of a session, or from the replays of an explanation.
      </Empty>
    </Panel>
  )
}

function NoSimilarSession({ flag, control }: { flag: string; control: string }) {
  return (
    <Panel>
      <Empty title="No similar session">
        No user with <code>{control}</code> of <code>{flag}</code> was recorded around this time.
      </Empty>
    </Panel>
  )
}

type WithSimilarSessionProps = {
  session: Session
  similar: SimilarSession
  flag: string
  control: string
  lookedAt: number
}

function WithSimilarSession({ session, similar, flag, control, lookedAt }: WithSimilarSessionProps) {
  const { project, environment } = useScope()
  const other = useQuery(sessionQuery({ project, env: environment.key }, similar.session))
  const read = session.flags.find((pair) => pair.startsWith(`${flag}=`))?.slice(flag.length + 1) ?? 'not read'
  return (
    <div className="grid min-w-0 gap-16">
      <Notice
        tone={similar.isClose ? 'plain' : 'warn'}
        title={
          similar.isClose
            ? 'Closest recorded session'
            : 'No close match: this is the nearest recorded session'
        }
        detail={`${similarityText(similar)}. Of ${countOf(lookedAt, 'recorded session')} with ${control}. Two sessions are not proof: compare shared steps and differences.`}
      />
      <Async of={other} loading={<Skeleton rows={8} label="Loading the similar session" />}>
        {(found) => (
          <SideBySide
            left={{ session, variation: read }}
            right={{ session: found, variation: control }}
            flag={flag}
          />
        )}
      </Async>
    </div>
  )
}

/** How similar the session is, in a sentence. */
function similarityText(similar: SimilarSession): string {
  const { pages, sameDevice, sameCountry, sameBrowser, hoursApart } = similar
  const same = [
    ...(sameDevice ? ['device'] : []),
    ...(sameBrowser ? ['browser'] : []),
    ...(sameCountry ? ['country'] : []),
  ]
  const other = [
    ...(sameDevice ? [] : ['device']),
    ...(sameBrowser ? [] : ['browser']),
    ...(sameCountry ? [] : ['country']),
  ]
  const hours = hoursApart < 1 ? 'the same hour of the day' : `${Math.round(hoursApart)} h apart`
  return [
    `${shareText(pages)} of the path in common`,
    ...(same.length > 0 ? [`same ${listed(same)}`] : []),
    ...(other.length > 0 ? [`another ${listed(other)}`] : []),
    hours,
  ].join(', ')
}

function listed(words: readonly string[]): string {
  const [last, ...before] = words.toReversed()
  return before.length === 0 ? (last ?? '') : `${before.toReversed().join(', ')} and ${last}`
}
