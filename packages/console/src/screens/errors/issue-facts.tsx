import { Link } from '@tanstack/react-router'
import type { Issue } from '../../api/issues.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Avatar } from '../../ui/tag.tsx'
import { Time, TimeAgo } from '../../ui/text/time.tsx'
import { IssueState } from './issue-state.tsx'
import { culpritText } from './issue-words.ts'

/** State, location, and first and last seen, in a few short lines. */
export function IssueFacts({ issue }: { issue: Issue }) {
  const { culprit, assignee, firstSeenVersion, lastSeenVersion } = issue
  return (
    <div className="grid min-w-0 gap-4">
      <p className="flex min-w-0 flex-wrap items-center gap-x-16 gap-y-4">
        <IssueState issue={issue} />
        <Decided issue={issue} />
        {assignee && (
          <span className="inline-flex min-w-0 items-center gap-6 text-text-2">
            <Avatar name={assignee.name} />
            <span className="truncate">Assigned to {assignee.name}</span>
          </span>
        )}
      </p>
      <p className="flex min-w-0 flex-wrap gap-x-16 gap-y-2 text-text-2">
        <span>
          First seen <TimeAgo at={issue.firstSeenAt} /> <In version={firstSeenVersion} />
        </span>
        <span>
          Last seen <TimeAgo at={issue.lastSeenAt} /> <In version={lastSeenVersion} />
        </span>
      </p>
      {culprit !== '' && (
        <p className="min-w-0 truncate text-text-3" title={culprit}>
          <code>{culpritText(culprit)}</code>
        </p>
      )}
    </div>
  )
}

function In({ version }: { version: string }) {
  const { project } = useScope()
  if (version === '') return null
  return (
    <>
      in{' '}
      <Link
        to="/p/$project/releases/$version"
        params={{ project, version }}
        search={({ env, t }) => ({ env, t })}
        className="text-accent hover:underline"
      >
        <code>{version}</code>
      </Link>
    </>
  )
}

/** The decision, and what would reopen the issue. */
function Decided({ issue: { state, resolvedAt, resolvedIn, ignoredUntil } }: { issue: Issue }) {
  if (state === 'resolved') {
    return (
      <span className="text-text-2">
        <Time at={resolvedAt} />
        {resolvedIn ? (
          <>
            , in <code>{resolvedIn}</code>; reopens if seen in a later version
          </>
        ) : (
          '; reopens at the next error'
        )}
      </span>
    )
  }
  if (state === 'ignored') {
    return (
      <span className="text-text-2">
        {ignoredUntil === null ? (
          'until reopened'
        ) : (
          <>
            until <Time at={ignoredUntil} />
          </>
        )}
      </span>
    )
  }
  if (state === 'regressed' && resolvedIn) {
    return (
      <span className="text-text-2">
        after being resolved in <code>{resolvedIn}</code>
      </span>
    )
  }
  return null
}
