import { emptyFilter } from '@telltale/core/query/filter'
import type { ShownIssue } from '../../../api/issues.ts'
import { useScope, useSetScope } from '../../../shell/scope-context.ts'
import type { SearchQuestion } from '../../../shell/use-question.ts'
import { Button } from '../../../ui/button.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Empty } from '../../../ui/states.tsx'
import { Time, useNow } from '../../../ui/text/time.tsx'

const day = 24 * 3_600_000

/** The issue has no error to show: because of the filter, the period, or the retention. */
export function NotInThisTime({ issue, requested }: { issue: ShownIssue; requested: SearchQuestion }) {
  const { environment } = useScope()
  const setScope = useSetScope()
  const now = useNow()
  const lastSeenAt = Date.parse(issue.lastSeenAt)
  const keptDays = environment.retentionDays.events
  const isInTime = lastSeenAt >= Date.parse(issue.from) && lastSeenAt <= Date.parse(issue.to)

  if (requested.question.filter !== '' && isInTime) {
    return (
      <Panel>
        <Empty
          title="No matching errors"
          action={<Button onClick={() => requested.setFilter(emptyFilter)}>Clear the filter</Button>}
        />
      </Panel>
    )
  }
  if (now - lastSeenAt > keptDays * day) {
    return (
      <Panel>
        <Empty title="Errors deleted by retention">
          Last seen <Time at={issue.lastSeenAt} />, and errors of this environment are kept for {keptDays}{' '}
          days. Its state is kept. New occurrences appear here.
        </Empty>
      </Panel>
    )
  }
  return (
    <Panel>
      <Empty
        title="No errors in this time range"
        action={
          <Button
            onClick={() => {
              const [from, to] = [lastSeenAt - day, lastSeenAt + 60_000]
              setScope({ t: `${new Date(from).toISOString()}..${new Date(to).toISOString()}` })
            }}
          >
            Show day of last error
          </Button>
        }
      >
        Last seen <Time at={issue.lastSeenAt} />.
      </Empty>
    </Panel>
  )
}
