import { Link } from '@tanstack/react-router'
import type { Session } from '../../../api/sessions.ts'
import { useScope } from '../../../shell/scope-context.ts'
import { Notice } from '../../../ui/notice.tsx'
import { countOf } from '../../../ui/text/measure-text.ts'

/** Why a session has no replay, and what data there is. */
export function NoRecording({ session }: { session: Session }) {
  const { project, environment } = useScope()
  const share = environment.sampling.replay
  const days = environment.retentionDays.replays
  const events = `${countOf(session.events, 'event')} only`
  const settings = (
    <Link
      to="/p/$project/settings/environments/$environment"
      params={{ project, environment: environment.key }}
      search={{}}
      className="text-accent underline"
    >
      Settings of {environment.name}
    </Link>
  )
  if (session.hasReplay) {
    return (
      <Notice
        tone="plain"
        title={`Recording deleted: ${events}`}
        detail={
          <>
            Recordings are kept for {countOf(days, 'day')} in {environment.name}, or longer if someone keeps
            them. The session's events are listed below. {settings}
          </>
        }
      />
    )
  }
  return (
    <Notice
      tone="plain"
      title={`Recording not sampled: ${events}`}
      detail={
        <>
          {share === 0
            ? `Recording is off in ${environment.name} unless a trigger occurs.`
            : `${share}% of sessions in ${environment.name} are recorded at random, plus sessions with a trigger set by the page.`}{' '}
          {settings}
        </>
      }
    />
  )
}
