import { Link } from '@tanstack/react-router'
import type { IssueRow } from '../../api/issues.ts'
import { Sparkline } from '../../charts/sparkline.tsx'
import type { Column } from '../../ui/table/column.ts'
import { Avatar } from '../../ui/tag.tsx'
import { countOf, countText, fullCountText } from '../../ui/text/measure-text.ts'
import { TimeAgo } from '../../ui/text/time.tsx'
import { IssueState } from './issue-state.tsx'
import { culpritText, titleOf } from './issue-words.ts'
import { SuspectCell } from './suspect-cell.tsx'

/** `markers`: positions of flag changes in the period, from 0 to 1. */
export function issueColumns(markers: readonly number[]): readonly Column<IssueRow>[] {
  return [
    {
      id: 'title',
      header: 'Error',
      fixed: true,
      card: 'title',
      cell: (issue) => <TitleCell issue={issue} />,
    },
    {
      id: 'trend',
      header: 'Trend',
      width: '116px',
      card: 'none',
      cell: ({ series, events }) => (
        <Sparkline
          values={series}
          markers={markers}
          label={`${fullCountText(events)} events in this time range, at most ${fullCountText(Math.max(0, ...series))} per interval`}
        />
      ),
    },
    {
      id: 'events',
      header: 'Events',
      sortBy: ({ events }) => events,
      align: 'end',
      width: '68px',
      cell: (issue) => <EventsCell issue={issue} />,
    },
    {
      id: 'users',
      header: 'Users',
      sortBy: ({ users }) => users,
      align: 'end',
      width: '104px',
      card: 'none',
      cell: (issue) => <UsersCell issue={issue} />,
    },
    {
      id: 'lift',
      header: 'Suspect',
      width: '164px',
      cell: ({ lift }) => <SuspectCell lift={lift} />,
    },
    {
      id: 'last-seen',
      header: 'Last seen',
      sortBy: ({ lastSeenAt }) => lastSeenAt,
      width: '108px',
      card: 'none',
      cell: ({ lastSeenAt, lastSeenVersion }) => <Seen at={lastSeenAt} version={lastSeenVersion} />,
    },
    {
      id: 'first-seen',
      header: 'First seen',
      sortBy: ({ firstSeenAt }) => firstSeenAt,
      width: '108px',
      hideBelow: 'full',
      card: 'none',
      cell: ({ firstSeenAt, firstSeenVersion }) => <Seen at={firstSeenAt} version={firstSeenVersion} />,
    },
    {
      id: 'state',
      header: 'State',
      width: '120px',
      card: 'aside',
      cell: (issue) => <StateCell issue={issue} />,
    },
  ]
}

function Count({ of }: { of: number }) {
  return <span title={fullCountText(of)}>{countText(of)}</span>
}

function UsersCell({ issue: { users, sessions } }: { issue: IssueRow }) {
  return (
    <span className="grid">
      <Count of={users} />
      <span className="truncate text-12 text-text-3" title={fullCountText(sessions)}>
        {countOf(sessions, 'session')}
      </span>
    </span>
  )
}

/** In a card, all counts are in one line. */
function EventsCell({ issue: { events, users, lastSeenAt } }: { issue: IssueRow }) {
  return (
    <>
      <span className="max-wide:hidden">
        <Count of={events} />
      </span>
      <span className="text-text-2 wide:hidden">
        {countOf(events, 'event')}, {countOf(users, 'user')}, <TimeAgo at={lastSeenAt} />
      </span>
    </>
  )
}

function TitleCell({ issue }: { issue: IssueRow }) {
  const title = titleOf(issue)
  return (
    <span className="grid min-w-0">
      <Link
        from="/p/$project/errors"
        to="/p/$project/errors/$issue"
        params={{ issue: issue.id }}
        search={({ q }) => ({ q })}
        title={title.slice(0, 300)}
        className="truncate font-code font-medium text-12"
      >
        {title}
      </Link>
      <span className="truncate text-12 text-text-3" title={issue.culprit}>
        {culpritText(issue.culprit) || 'unknown location'}
      </span>
    </span>
  )
}

function Seen({ at, version }: { at: string; version: string }) {
  return (
    <span className="grid min-w-0">
      <TimeAgo at={at} />{' '}
      {version !== '' && (
        <code className="truncate text-12 text-text-3" title={`Version ${version}`}>
          {version}
        </code>
      )}
    </span>
  )
}

function StateCell({ issue }: { issue: IssueRow }) {
  return (
    <span className="flex items-center gap-8 max-wide:justify-end">
      <IssueState issue={issue} />
      {issue.assignee && (
        <span title={`Assigned to ${issue.assignee.name}`}>
          <span className="sr-only">Assigned to {issue.assignee.name}</span>
          <Avatar name={issue.assignee.name} />
        </span>
      )}
    </span>
  )
}
