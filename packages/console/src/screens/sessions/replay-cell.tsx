import { Link } from '@tanstack/react-router'
import type { SessionRow } from '../../api/sessions.ts'
import { playheadOf } from '../../features/replays/replay-moments.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { Icon } from '../../ui/icon.tsx'
import { lengthText } from '../../ui/text/measure-text.ts'
import type { ListSearch } from './sessions-search.ts'

type ReplayCellProps = { session: SessionRow; list: ListSearch }

/** A link to the replay, with its length and whether it is kept; and whether scripts were profiled. */
export function ReplayCell({ session, list }: ReplayCellProps) {
  const { replay, hasReplay, hasProfile, running } = session
  if (!hasReplay && replay === null && !hasProfile)
    return <span className="text-text-3 max-wide:hidden">–</span>
  return (
    <span className="flex min-w-0 items-center gap-6">
      {replay ? (
        <ReplayLink session={session} list={list} replay={replay} />
      ) : (
        hasReplay && <span className="text-text-3">{running ? 'uploading' : 'expired'}</span>
      )}
      {replay?.kept && <Mark icon="lock" text="Kept" />}
      {hasProfile && <Mark icon="profile" text="Profiled" />}
    </span>
  )
}

type ReplayLinkProps = ReplayCellProps & { replay: NonNullable<SessionRow['replay']>; text?: string }

export function ReplayLink({ session, list, replay, text }: ReplayLinkProps) {
  const { project } = useScope()
  const offset = Math.max(0, Date.parse(replay.startedAt) - Date.parse(session.startedAt))
  return (
    <Link
      to="/p/$project/sessions/$session"
      params={{ project, session: session.id }}
      search={list}
      hash={playheadOf(offset)}
      className="inline-flex min-h-24 items-center gap-4 whitespace-nowrap text-accent hover:underline"
    >
      <Icon name="session" className="size-14" />
      <span className={text === undefined ? 'sr-only' : ''}>{text ?? 'Watch the replay, '}</span>
      {text === undefined && lengthText(replay.length)}
    </Link>
  )
}

function Mark({ icon, text }: { icon: 'lock' | 'profile'; text: string }) {
  return (
    <span title={text} className="inline-flex text-text-3">
      <Icon name={icon} className="size-14" />
      <span className="sr-only">{text}</span>
    </span>
  )
}
