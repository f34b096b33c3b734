import { Link } from '@tanstack/react-router'
import type { Filter } from '@telltale/core/query/filter'
import type { ShownIssue } from '../../../api/issues.ts'
import { useScope } from '../../../shell/scope-context.ts'
import { filterOfIssue } from './filter-of-issue.ts'

type SessionsLinkProps = { issue: Pick<ShownIssue, 'group'>; filter: Filter }

/** The sessions that met the issue, with what its errors are filtered by. */
export function SessionsLink({ issue, filter }: SessionsLinkProps) {
  const { project } = useScope()
  return (
    <Link
      to="/p/$project/sessions"
      params={{ project }}
      search={{ q: filterOfIssue(filter, issue) }}
      className="text-accent hover:underline"
    >
      Show sessions
    </Link>
  )
}
