import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, useParams } from '@tanstack/react-router'
import { issueQuery, type ShownIssue } from '../../../api/issues.ts'
import { toProblem } from '../../../api/problem.ts'
import { AttributionsPanel } from '../../../features/attributions/attributions-panel.tsx'
import { CommentsPanel } from '../../../features/comments/comments-panel.tsx'
import { RecordedSoFar } from '../../../features/recording-orders/recorded-so-far.tsx'
import { ReplayMoments } from '../../../features/replays/replay-moments.tsx'
import { SuspectsPanel } from '../../../features/suspects/suspects-panel.tsx'
import { MayNoticeHere } from '../../../shell/may-notice.tsx'
import { useScope } from '../../../shell/scope-context.ts'
import { Screen } from '../../../shell/screen.tsx'
import { type SearchQuestion, useFilterValues, useQuestion } from '../../../shell/use-question.ts'
import { TelemetryFilter } from '../../../ui/filter/telemetry-filter.tsx'
import { Async } from '../../../ui/states.tsx'
import { titleOf } from '../issue-words.ts'
import { Breakdown } from './breakdown.tsx'
import { EventPanels } from './event-panels.tsx'
import { filterOfIssue } from './filter-of-issue.ts'
import { IssueHead } from './issue-head.tsx'
import { MergedPanel } from './merged-panel.tsx'
import { NotInThisTime } from './not-in-this-time.tsx'
import { SeriesPanel } from './series-panel.tsx'

/** One error issue: its state, how often and where it occurs, and its single errors. */
export function IssueScreen() {
  const { issue: id } = useParams({ from: '/p/$project/errors/$issue' })
  const { project } = useScope()
  const requested = useQuestion()
  const issue = useQuery(issueQuery(requested.question, id))
  const problem = issue.error && toProblem(issue.error)
  const filterFault = problem?.errors.find(({ pointer }) => pointer === '?filter')?.message
  const shown = issue.isPlaceholderData ? undefined : issue.data
  const title = shown ? titleOf(shown) : 'Error'

  // A merged issue, or one addressed by an error group: redirect to the issue.
  if (shown && shown.id !== id) {
    return (
      <Navigate
        to="/p/$project/errors/$issue"
        params={{ project, issue: shown.id }}
        search={(now) => now}
        replace
      />
    )
  }
  return (
    <Screen
      title={title.slice(0, titleShown)}
      heading={shown ? <code>{title.slice(0, titleShown)}</code> : 'Error'}
      scope="environment-and-time"
      crumbs={
        <Link
          to="/p/$project/errors"
          params={{ project }}
          search={{ q: requested.question.filter || undefined }}
          className="shrink-0 hover:underline"
        >
          Errors
        </Link>
      }
    >
      {filterFault === undefined ? (
        <Async of={issue}>{(found) => <Content key={found.id} issue={found} requested={requested} />}</Async>
      ) : (
        <IssueFilter requested={requested} fault={filterFault} />
      )}
    </Screen>
  )
}

const titleShown = 200

function IssueFilter({ requested, fault }: { requested: SearchQuestion; fault?: string | undefined }) {
  return (
    <TelemetryFilter
      label="Filter: browser:Safari, version:2.1, page:/cart"
      filter={requested.filter}
      onFilter={requested.setFilter}
      fault={requested.fault ?? fault}
      loadValues={useFilterValues(requested.question)}
    />
  )
}

function Content({ issue, requested }: { issue: ShownIssue; requested: SearchQuestion }) {
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-16">
      <MayNoticeHere permission="issues.resolve" />
      <IssueHead issue={issue} requested={requested} />
      <IssueFilter requested={requested} />
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] items-start gap-16 full:grid-cols-[minmax(0,1fr)_320px]">
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-16">
          <SeriesPanel issue={issue} requested={requested} />
          {issue.events > 0 ? (
            <EventPanels issue={issue} requested={requested} />
          ) : (
            <NotInThisTime issue={issue} requested={requested} />
          )}
          <CommentsPanel on={{ kind: 'issue', subject: issue.id, env: requested.question.env }} />
        </div>
        <aside className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-16" aria-label="Breakdown">
          <AttributionsPanel attributions={issue.attributions} issue={issue.id} />
          <SuspectsPanel
            question={requested.question}
            filter={requested.filter}
            of={[{ field: 'issue', key: '', operator: 'is', values: [issue.group], isNegated: false }]}
            words={titleOf(issue).slice(0, titleShown)}
            metric="users-with-an-error"
          />
          <MergedPanel issue={issue} />
          <RecordedSoFar {...requested.question} kind="issue" id={issue.id} />
          <IssueReplays issue={issue} requested={requested} />
          {issue.events > 0 && <Breakdown issue={issue} requested={requested} />}
        </aside>
      </div>
    </div>
  )
}

/** Three recorded sessions with the error, at its moment. */
function IssueReplays({ issue, requested }: { issue: ShownIssue; requested: SearchQuestion }) {
  return (
    <ReplayMoments
      title="Replays"
      note="at the moment of the error"
      question={{ ...requested.question, filter: filterOfIssue(requested.filter, issue) }}
      of="error"
      none="No recordings with this error in this time range."
    />
  )
}
