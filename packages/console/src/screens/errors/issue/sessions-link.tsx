import { Link } from '@tanstack/react-router'
import { type Chip, type Filter, printFilter } from '@telltale/core/telemetry/filter'
import type { ShownIssue } from '../../../api/issues.ts'
import { useScope } from '../../../shell/scope-context.ts'

type SessionsLinkProps = { issue: Pick<ShownIssue, 'group'>; filter: Filter }

/** The sessions that met the issue, with what its errors are filtered by. */
export function SessionsLink({ issue, filter }: SessionsLinkProps) {
  const { project } = useScope()
  const chip: Chip = { field: 'issue', key: '', isNegated: false, operator: 'is', values: [issue.group] }
  const chips = [chip, ...filter.chips.filter(({ field }) => field !== 'issue')]
  return (
    <Link
      to="/p/$project/sessions"
      params={{ project }}
      search={{ q: printFilter({ ...filter, chips }) }}
      className="text-accent hover:underline"
    >
      Show the sessions
    </Link>
  )
}
