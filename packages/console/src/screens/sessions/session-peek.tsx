import { Link } from '@tanstack/react-router'
import type { SessionRow } from '../../api/sessions.ts'
import { FlagLink } from '../../features/flags/flag-link.tsx'
import { AddToPlaylist } from '../../features/playlists/add-to-playlist.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { buttonClass } from '../../ui/button.tsx'
import { clientName } from '../../ui/client-badge.tsx'
import { CopyText } from '../../ui/copy.tsx'
import { FactPart, Facts } from '../../ui/facts.tsx'
import { Peek } from '../../ui/overlay/peek.tsx'
import { Badge } from '../../ui/tag.tsx'
import { lengthText } from '../../ui/text/measure-text.ts'
import { Time } from '../../ui/text/time.tsx'
import { VitalValue } from '../../ui/text/vital-value.tsx'
import { PersonLink } from './person-link.tsx'
import { ReadVariation, splitRead } from './read-variation.tsx'
import { ReplayLink } from './replay-cell.tsx'
import { deviceText, frustrationText, many, toAdded } from './session-words.ts'
import type { ListSearch } from './sessions-search.ts'
import { useVariationOrder } from './use-variation-orders.ts'

type SessionPeekProps = { session: SessionRow; list: ListSearch; onClose: () => void }

export function SessionPeek({ session, list, onClose }: SessionPeekProps) {
  const { project } = useScope()
  const order = useVariationOrder()
  const went = [
    many(session.errors, 'error'),
    many(session.failedRequests, 'failed request'),
    frustrationText(session),
  ].filter((part) => part !== '')

  return (
    <Peek
      title="Session"
      open={
        <Link
          to="/p/$project/sessions/$session"
          params={{ project, session: session.id }}
          search={list}
          className={buttonClass('normal', 'small')}
        >
          Open the session
        </Link>
      }
      onClose={onClose}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-20">
        <span className="flex flex-wrap items-center gap-8">
          <CopyText text={session.id} label="Copy the id" />
          <AddToPlaylist session={toAdded(session)} small />
        </span>
        <p className={went.length === 0 ? 'text-ok' : 'font-medium text-bad'}>
          {went.join(', ') || 'No issues'}
        </p>
        <Facts
          inWords
          facts={[
            ['User', <PersonLink key="who" session={session} />],
            ['Started', <Time key="start" at={session.startedAt} />],
            ['Length', `${lengthText(session.length)}${session.running ? ', still running' : ''}`],
            ['First page', session.entryPage],
            ['Last page', session.exitPage],
            ['Browser', deviceText(session)],
            ['Version', session.version || 'not set'],
            ...sentBy(session),
            ['Pages', wentThrough(session)],
            ['Replay', <ReplayFact key="replay" session={session} list={list} />],
            ['Profile', session.hasProfile ? 'Profiled' : 'none'],
          ]}
        />
        <FactPart title="Worst vitals">
          <Facts
            inWords
            facts={[
              ['LCP', <VitalValue key="lcp" name="LCP" value={session.lcp} />],
              ['INP', <VitalValue key="inp" name="INP" value={session.inp} />],
              ['CLS', <VitalValue key="cls" name="CLS" value={session.cls} />],
            ]}
          />
        </FactPart>
        <FactPart title="Flags" isEmpty={session.flags.length === 0}>
          <ul className="grid gap-4">
            {session.flags.map((read) => {
              const [flag, variation] = splitRead(read)
              return (
                <li key={read} className="flex min-w-0 items-baseline gap-8">
                  <FlagLink flag={flag} />
                  <ReadVariation flag={flag} variation={variation} order={order} />
                </li>
              )
            })}
          </ul>
        </FactPart>
      </div>
    </Peek>
  )
}

/** When it was another client. */
function sentBy({ source }: SessionRow): [string, string][] {
  const name = clientName(source)
  return name === undefined ? [] : [['SDK', name]]
}

function ReplayFact({ session, list }: Pick<SessionPeekProps, 'session' | 'list'>) {
  const { replay, hasReplay, running } = session
  if (replay === null) {
    if (!hasReplay) return 'not recorded'
    return running ? 'recorded, uploading' : 'recorded, deleted by retention'
  }
  return (
    <span className="inline-flex flex-wrap items-center gap-x-8">
      <ReplayLink
        session={session}
        list={list}
        replay={replay}
        text={`Watch ${lengthText(replay.length)} of it`}
      />
      {replay.kept && <Badge>Kept</Badge>}
    </span>
  )
}

function wentThrough({ views, actions, requests }: SessionRow): string {
  return [many(views, 'page'), many(actions, 'action'), many(requests, 'request')]
    .filter((part) => part !== '')
    .join(', ')
}
