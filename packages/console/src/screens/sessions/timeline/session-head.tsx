import type { Session } from '../../../api/sessions.ts'
import { FlagLink } from '../../../features/flags/flag-link.tsx'
import { useScope } from '../../../shell/scope-context.ts'
import { ClientBadge } from '../../../ui/client-badge.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Avatar } from '../../../ui/tag.tsx'
import { lengthText } from '../../../ui/text/measure-text.ts'
import { Time, TimeAgo } from '../../../ui/text/time.tsx'
import { VitalValue } from '../../../ui/text/vital-value.tsx'
import { PersonLink } from '../person-link.tsx'
import { ReadVariation } from '../read-variation.tsx'
import { deviceText, frustrationText, many } from '../session-words.ts'
import { useVariationOrder } from '../use-variation-orders.ts'

/** The user, the device and the outcome, in one or two lines. */
export function SessionHead({ session }: { session: Session }) {
  const { environment } = useScope()
  const errors = many(session.errors, 'error')
  const failed = many(session.failedRequests, 'failed request')
  const frustration = frustrationText(session)
  const vitals = [
    ['LCP', session.lcp],
    ['INP', session.inp],
    ['CLS', session.cls],
  ] as const

  return (
    <header className="flex flex-wrap items-center gap-x-18 gap-y-6">
      <span className="flex min-w-0 items-center gap-8 font-medium">
        <Avatar name={session.userKey || 'guest'} />
        <PersonLink session={session} />
      </span>
      <span className="text-text-2">{deviceText(session)}</span>
      <ClientBadge source={session.source} />
      <Drawn session={session} />
      {vitals.map(
        ([name, value]) =>
          value !== null && (
            <span key={name} className="inline-flex items-center gap-6">
              <span className="text-text-3">{name}</span>
              <VitalValue name={name} value={value} />
            </span>
          ),
      )}
      {[errors, failed, frustration]
        .filter((text) => text !== '')
        .map((text) => (
          <span key={text} className="inline-flex items-center gap-4 font-medium text-bad">
            <Icon name="warning" />
            {text}
          </span>
        ))}
      {session.trouble === 0 && <span className="text-ok">No issues</span>}
      <span className="ml-auto flex flex-wrap items-center gap-x-12 text-text-2 max-full:ml-0">
        {session.running && (
          <span className="inline-flex items-center gap-6 text-text">
            <span aria-hidden="true" className="size-8 rounded-round bg-ok-fill motion-safe:animate-live" />
            <span>
              Still running, last event <TimeAgo at={session.endedAt} />
            </span>
          </span>
        )}
        <span>
          {session.replay ? `Recorded ${lengthText(session.replay.length)}` : lengthText(session.length)} from{' '}
          <Time at={session.startedAt} />
          {session.version && `, version ${session.version}`} in {environment.name}
        </span>
      </span>
    </header>
  )
}

/** The list of flags has the others. */
const drawnShown = 2

/** Randomly assigned variations: those for which the session is evidence about a release. */
function Drawn({ session: { flagChanges } }: { session: Session }) {
  const order = useVariationOrder()
  const drawn = new Map(
    flagChanges.filter(({ split }) => split !== null).map(({ flag, variation }) => [flag, variation]),
  )
  return [...drawn].slice(0, drawnShown).map(([flag, variation]) => (
    <span key={flag} className="inline-flex min-w-0 max-w-[40ch] items-center gap-6">
      <FlagLink flag={flag} />
      <ReadVariation flag={flag} variation={variation} order={order} />
    </span>
  ))
}
