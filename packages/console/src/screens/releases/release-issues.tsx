import { Link } from '@tanstack/react-router'
import type { ShownRelease } from '../../api/releases.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Panel } from '../../ui/panel.tsx'
import { Badge } from '../../ui/tag.tsx'
import { TimeAgo } from '../../ui/text/time.tsx'
import { filterOf } from './releases-search.ts'

type Issue = ShownRelease['issues'][number]

/** Issues first seen in this version, and those that came back in it. */
export function ReleaseIssues({ release }: { release: ShownRelease }) {
  const { project } = useScope()
  const { issues, newIssues, regressedIssues, version } = release
  const all = newIssues + regressedIssues
  return (
    <Panel
      title="New and regressed issues"
      flush
      footer={
        <Link
          to="/p/$project/errors"
          params={{ project }}
          search={({ env, t }) => ({ env, t, q: filterOf(version) })}
          className="text-accent hover:underline"
        >
          {all > issues.length ? `First ${issues.length} of ${all}. ` : ''}All errors of this version
        </Link>
      }
    >
      {issues.length === 0 ? (
        <p className="px-14 py-12 text-text-2">No issue was first seen or came back in this version.</p>
      ) : (
        <ul>
          {issues.map((issue) => (
            <IssueRow key={issue.id} issue={issue} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function IssueRow({ issue }: { issue: Issue }) {
  const { project } = useScope()
  const title = [issue.type, issue.message.replace(/\s+/g, ' ').trim()]
    .filter((part) => part !== '')
    .join(': ')
  return (
    <li className="flex min-w-0 items-center gap-8 border-line border-b px-14 py-8 last:border-b-0">
      <Badge tone={issue.kind === 'regressed' ? 'bad' : 'warn'}>
        {issue.kind === 'regressed' ? 'Regressed' : 'New'}
      </Badge>
      <Link
        to="/p/$project/errors/$issue"
        params={{ project, issue: issue.id }}
        search={({ env, t }) => ({ env, t })}
        title={title}
        className="min-w-0 grow truncate font-code text-12 hover:underline"
      >
        {title || 'Error without a message'}
      </Link>
      <span className="shrink-0 text-12 text-text-3">
        <TimeAgo at={issue.lastSeenAt} />
      </span>
    </li>
  )
}
