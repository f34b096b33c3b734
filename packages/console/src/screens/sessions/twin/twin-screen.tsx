import { useQuery } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { toProblem } from '../../../api/problem.ts'
import { type Session, type SessionTwin, sessionQuery, sessionTwinQuery } from '../../../api/sessions.ts'
import { useScope } from '../../../shell/scope-context.ts'
import { Screen } from '../../../shell/screen.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Async, Empty, Skeleton, Trouble } from '../../../ui/states.tsx'
import { countOf } from '../../../ui/text/measure-text.ts'
import { NoSession } from '../no-session.tsx'
import { whoText } from '../session-words.ts'
import { PlayedTwins } from './played-twins.tsx'
import { closenessSaid } from './twin-words.ts'

/** A session beside the one that is most like it, of somebody with the other variation. */
export function TwinScreen() {
  const { project, environment } = useScope()
  const { session: id } = useParams({ from: '/p/$project/sessions/$session/twin' })
  const { flag = '', control = '' } = useSearch({ from: '/p/$project/sessions/$session/twin' })
  const place = { project, env: environment.key }
  const session = useQuery(sessionQuery(place, id))
  const twin = useQuery({
    ...sessionTwinQuery(place, { session: id, flag, control }),
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
        <Async of={twin} loading={<Skeleton rows={8} label="Searching for a similar session" />}>
          {(found) =>
            found.twin === null ? (
              <NoTwin flag={flag} control={control} />
            ) : (
              <WithTwin
                key={found.twin.session}
                session={session.data}
                twin={found.twin}
                {...{ flag, control }}
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

function NoTwin({ flag, control }: { flag: string; control: string }) {
  return (
    <Panel>
      <Empty title="No similar session">
        No user with <code>{control}</code> of <code>{flag}</code> was recorded around this time.
      </Empty>
    </Panel>
  )
}

type WithTwinProps = { session: Session; twin: SessionTwin; flag: string; control: string; lookedAt: number }

function WithTwin({ session, twin, flag, control, lookedAt }: WithTwinProps) {
  const { project, environment } = useScope()
  const other = useQuery(sessionQuery({ project, env: environment.key }, twin.session))
  const read = session.flags.find((pair) => pair.startsWith(`${flag}=`))?.slice(flag.length + 1) ?? 'not read'
  return (
    <div className="grid min-w-0 gap-16">
      <Notice
        tone={twin.isClose ? 'plain' : 'warn'}
        title={
          twin.isClose ? 'Closest recorded session' : 'No close match: this is the nearest recorded session'
        }
        detail={`${closenessSaid(twin)}. Of ${countOf(lookedAt, 'recorded session')} with ${control}. Two sessions are not proof: compare shared steps and differences.`}
      />
      <Async of={other} loading={<Skeleton rows={8} label="Loading the similar session" />}>
        {(found) => (
          <PlayedTwins
            left={{ session, variation: read }}
            right={{ session: found, variation: control }}
            flag={flag}
          />
        )}
      </Async>
    </div>
  )
}
