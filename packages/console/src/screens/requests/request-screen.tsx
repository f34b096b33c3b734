import { useQuery } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { type MeasuredRequest, type RequestGroup, requestQuery } from '../../api/requests.ts'
import { ReplayMoments } from '../../features/replays/replay-moments.tsx'
import { NothingFound } from '../../shell/nothing-found.tsx'
import { SampleNote } from '../../shell/sample-note.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { Screen } from '../../shell/screen.tsx'
import { type SearchQuestion, useFilterValues, useQuestion } from '../../shell/use-question.ts'
import { CopyText } from '../../ui/copy.tsx'
import { TelemetryFilter } from '../../ui/filter/telemetry-filter.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async } from '../../ui/states.tsx'
import { Badge } from '../../ui/tag.tsx'
import { bytesText, countOf } from '../../ui/text/measure-text.ts'
import { BreakdownPanel } from './breakdown-panel.tsx'
import { RequestCharts } from './request-charts.tsx'
import { filterOfRequest } from './request-chips.ts'
import { RequestSuspects } from './request-suspects.tsx'
import { SessionsWith } from './sessions-with.tsx'
import { SlowBecause } from './slow-because.tsx'
import { StatusBars } from './status-bars.tsx'

/** One kind of request: its numbers over time, by group, and its sessions. */
export function RequestScreen() {
  const { project } = useScope()
  const { endpoint } = useParams({ from: '/p/$project/requests/$endpoint' })
  const { method = '', host = '' } = useSearch({ from: '/p/$project/requests/$endpoint' })
  const requested = useQuestion()
  const { question, filter, fault, setFilter } = requested
  const loadValues = useFilterValues(question)
  const group = { method, host, endpoint }
  const request = useQuery(requestQuery(question, group))

  return (
    <Screen
      title={`${method} ${endpoint}`.trim()}
      heading={<span className="font-code text-12">{`${method} ${endpoint}`.trim()}</span>}
      scope="environment-and-time"
      crumbs={
        <Link
          to="/p/$project/requests"
          params={{ project }}
          search={({ q }) => ({ q })}
          className="hover:underline"
        >
          Requests
        </Link>
      }
    >
      <div className="flex flex-wrap items-center gap-x-12 gap-y-4">
        <CopyText text={`${host}${endpoint}`} label="Copy host and path" />
        {request.data && request.data.count > 0 && (
          <>
            <Badge>{request.data.own ? 'First party' : 'Third party'}</Badge>
            <span className="text-12 text-text-3">
              in {countOf(request.data.sessions, 'session')}
              {request.data.meanBytes !== null && `, ${bytesText(request.data.meanBytes)} each (mean)`}
              <SampleNote isAfterText sample={request.data.sample} />
            </span>
          </>
        )}
      </div>
      <TelemetryFilter
        label="Filter: page:/cart, flag:checkout=new, status:>=500"
        filter={filter}
        onFilter={setFilter}
        fault={fault}
        loadValues={loadValues}
      />
      <Async
        of={request}
        isEmpty={({ count }) => count === 0}
        empty={
          <Panel>
            <NothingFound
              of="requests"
              onClear={question.filter === '' ? undefined : () => setFilter({ chips: [], words: [] })}
            />
          </Panel>
        }
      >
        {(measured) => <Measured measured={measured} group={group} requested={requested} />}
      </Async>
    </Screen>
  )
}

type MeasuredProps = { measured: MeasuredRequest; group: RequestGroup; requested: SearchQuestion }

function Measured({ measured, group, requested }: MeasuredProps) {
  const { question, filter } = requested
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] items-start gap-16 full:grid-cols-[minmax(0,1fr)_304px]">
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-16">
        <RequestCharts request={measured} question={question} />
        <SlowBecause group={group} question={question} />
        <BreakdownPanel group={group} question={question} />
      </div>
      <aside className="grid min-w-0 gap-16" aria-label="Status codes and sessions">
        <Panel title="Answers">
          <StatusBars request={measured} />
        </Panel>
        <RequestSuspects request={measured} group={group} requested={requested} />
        <SessionsWith group={group} filter={filter} p95={measured.p95} failed={measured.failed} />
        <ReplayMoments
          title="Replays"
          note="failed first, then slowest"
          question={{ ...question, filter: filterOfRequest(filter, group) }}
          of="request"
          none="No recordings in this time range."
        />
      </aside>
    </div>
  )
}
