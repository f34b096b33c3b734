import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { WaitingRequest } from '../../api/inbox.ts'
import { useScope } from '../../shell/scope-context.ts'
import { countOf, vitalText } from '../../ui/text/measure-text.ts'
import { RatingMark } from '../../ui/text/vital-value.tsx'
import type { IssueCause } from './attention-groups.ts'
import { findWorseRatings, type MovedPage } from './moved-pages.ts'
import { errorText } from './new-errors-panel.tsx'

type ItemProps = { name: ReactNode; state: ReactNode; children: ReactNode }

function Item({ name, state, children }: ItemProps) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-4 px-14 py-10">
      <span className="flex items-center justify-between gap-8">
        <span className="min-w-0 flex-1">{name}</span>
        {state}
      </span>
      <span className="text-12 text-text-2">{children}</span>
    </li>
  )
}

const nameClass = 'block truncate font-code font-medium text-12 hover:underline'

/** One row for all errors of a cause. */
export function CauseItem({ cause: { issues } }: { cause: IssueCause }) {
  const [issue, ...others] = issues
  const sessions = issues.reduce((sum, one) => sum + one.sessions, 0)
  return (
    <Item
      name={
        <Link
          from="/p/$project"
          to="/p/$project/errors/$issue"
          params={{ issue: issue.id }}
          className={nameClass}
          title={errorText(issue)}
        >
          {errorText(issue)}
        </Link>
      }
      state={<span className="shrink-0 font-medium text-bad">Regressed</span>}
    >
      {[
        others.length === 0 ? undefined : `and ${countOf(others.length, 'other error')} with the same cause`,
        issue.lift === null ? undefined : `${issue.lift.flag}=${issue.lift.variation}`,
        countOf(sessions, 'session'),
        issue.resolvedIn ? `resolved in ${issue.resolvedIn}` : undefined,
        issue.lastSeenVersion ? `seen in ${issue.lastSeenVersion}` : undefined,
      ]
        .filter((part) => part !== undefined)
        .join(' · ')}
    </Item>
  )
}

export function ChangeRequestItem({ request }: { request: WaitingRequest }) {
  const { project } = useScope()
  return (
    <Item
      name={
        <Link
          to="/p/$project/change-requests/$changeRequest"
          params={{ project, changeRequest: request.id }}
          className={nameClass}
          title={request.flag}
        >
          {request.flag}
        </Link>
      }
      state={
        <span className="shrink-0 font-medium text-warn">
          {request.isOwner ? 'Approval wanted' : 'Waiting for approval'}
        </span>
      }
    >
      {[`Change by ${request.author}`, request.reason].filter(Boolean).join(' · ')}
    </Item>
  )
}

export function StaleFlagsItem({ flags, hasMore }: { flags: readonly string[]; hasMore: boolean }) {
  const { project } = useScope()
  return (
    <Item
      name={
        <Link
          to="/p/$project/flags"
          params={{ project }}
          search={{ lifecycle: 'stale' }}
          className="font-medium hover:underline"
        >
          {hasMore ? `More than ${countOf(flags.length, 'stale flag')}` : countOf(flags.length, 'stale flag')}
        </Link>
      }
      state={<span className="shrink-0 font-medium text-text-2">Stale</span>}
    >
      {flags.slice(0, shownFlags).join(', ')}
      {flags.length > shownFlags && ' …'}
    </Item>
  )
}

const shownFlags = 3

export function PageItem({ page }: { page: MovedPage }) {
  const { project } = useScope()
  const worse = findWorseRatings(page)
  const isPoor = worse.some(({ rating }) => rating === 'poor')
  return (
    <Item
      name={
        <Link
          to="/p/$project/pages/$page"
          params={{ project, page: page.page.page }}
          search={{ vital: worse[0]?.name }}
          className={nameClass}
          title={page.page.page}
        >
          {page.page.page}
        </Link>
      }
      state={
        <span
          className={`inline-flex shrink-0 items-center gap-4 font-medium ${isPoor ? 'text-bad' : 'text-warn'}`}
        >
          <RatingMark rating={isPoor ? 'poor' : 'needs-improvement'} />
          {isPoor ? 'Now poor' : 'Degraded'}
        </span>
      }
    >
      {worse
        .map(({ name, now, before }) => `${name} p75 ${vitalText(name, before)} → ${vitalText(name, now)}`)
        .join(' · ')}
      {` · ${countOf(page.page.views, 'view')}`}
    </Item>
  )
}

export function IntakeItem({ text }: { text: string }) {
  const { project } = useScope()
  return (
    <Item
      name={
        <Link to="/p/$project/settings/data" params={{ project }} className="font-medium hover:underline">
          Intake
        </Link>
      }
      state={<span className="shrink-0 font-medium text-warn">Events dropped</span>}
    >
      {text}
    </Item>
  )
}
