import { Link } from '@tanstack/react-router'
import { type Chip, type FieldRef, printChip } from '@telltale/core/query/filter'
import type { TimelineEvent } from '../../../api/sessions.ts'
import { FlagLink } from '../../../features/flags/flag-link.tsx'
import { useScope } from '../../../shell/scope-context.ts'
import { rangeWith } from '../../../shell/time-range.ts'
import { buttonClass } from '../../../ui/button.tsx'
import type { ProfiledSpan } from './lanes.ts'
import { isVital } from './moments.ts'
import { ProfileLink } from './profile-link.tsx'

type MomentLinksProps = {
  event: TimelineEvent
  /** Scripts that ran at that time. */
  profile: { profile: ProfiledSpan; at: number } | undefined
}

/** Links from one event to all similar ones, with the filter set. */
export function MomentLinks({ event, profile }: MomentLinksProps) {
  const { project, range } = useScope()
  const t = rangeWith(Date.parse(event.at), range, Date.now())
  const chips = likenessOf(event)
  const link = buttonClass('normal', 'small')
  return (
    <nav aria-label="Related" className="flex flex-wrap gap-6">
      {profile && (
        <ProfileLink {...profile} className={link}>
          Profile at that time
        </ProfileLink>
      )}
      {event.kind === 'exposure' && <FlagLink flag={event.name}>Open flag</FlagLink>}
      {event.kind === 'error' && event.issue !== null && (
        <Link
          to="/p/$project/errors"
          params={{ project }}
          search={{ q: printChip(chip('issue', event.issue)), state: 'all', t }}
          className={link}
        >
          Error issue
        </Link>
      )}
      {(event.kind === 'view' || event.kind === 'vital') && event.page !== '' && (
        <Link
          to="/p/$project/pages/$page"
          params={{ project, page: event.page }}
          search={{ vital: isVital(event.name) ? event.name : undefined, t }}
          className={link}
        >
          Page
        </Link>
      )}
      {event.kind === 'resource' && event.endpoint !== '' && (
        <Link
          to="/p/$project/requests/$endpoint"
          params={{ project, endpoint: event.endpoint }}
          search={{ method: event.method || undefined, host: event.host || undefined, t }}
          className={link}
        >
          All requests like this
        </Link>
      )}
      {chips.length > 0 && (
        <Link
          to="/p/$project/sessions"
          params={{ project }}
          search={{ q: chips.map(printChip).join(' '), t }}
          className={link}
        >
          Sessions like this
        </Link>
      )}
    </nav>
  )
}

const chip = (field: FieldRef['field'], value: string, key = ''): Chip => ({
  field,
  key,
  isNegated: false,
  operator: 'is',
  values: [value],
})

/** A filter for sessions with the same event. */
function likenessOf(event: TimelineEvent): Chip[] {
  switch (event.kind) {
    case 'error':
      return event.issue === null ? [] : [chip('issue', event.issue)]
    case 'resource':
      return event.endpoint === ''
        ? []
        : [chip('endpoint', event.endpoint), ...(event.failed ? [chip('failed', 'true')] : [])]
    case 'view':
    case 'vital':
      return event.page === '' ? [] : [chip('page', event.page)]
    case 'action':
      return [
        ...(event.name === '' ? [] : [chip('name', event.name)]),
        ...event.frustration.slice(0, 1).map((one) => chip('frustration', one)),
      ]
    case 'custom':
      return [chip('name', event.name)]
    default:
      return []
  }
}
