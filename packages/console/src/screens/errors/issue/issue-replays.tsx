import type { ShownIssue } from '../../../api/issues.ts'
import { ReplayMoments } from '../../../features/replays/replay-moments.tsx'
import type { AskedQuestion } from '../../../shell/use-question.ts'
import { filterOfIssue } from './filter-of-issue.ts'

/** Three recorded sessions that met it, at the moment. */
export function IssueReplays({ issue, asked }: { issue: ShownIssue; asked: AskedQuestion }) {
  return (
    <ReplayMoments
      title="Replays"
      note="at the moment of the error"
      question={{ ...asked.question, filter: filterOfIssue(asked.filter, issue) }}
      of="error"
      none="No recordings with this error in this time range."
    />
  )
}
