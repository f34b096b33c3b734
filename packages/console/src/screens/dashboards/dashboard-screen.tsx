import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { type Dashboard, dashboardQuery } from '../../api/dashboards.ts'
import { useMay } from '../../shell/account.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Screen } from '../../shell/screen.tsx'
import { parseTimeRange } from '../../shell/time-range.ts'
import { useQuestion } from '../../shell/use-question.ts'
import { Async, Missing } from '../../ui/states.tsx'
import { TimeZone } from '../../ui/text/time.tsx'
import { DashboardView } from './dashboard-view.tsx'
import { DashboardsCrumb } from './dashboards-crumb.tsx'
import { EditDashboard } from './edit-dashboard.tsx'
import { TvDashboard } from './tv-dashboard.tsx'

const route = '/p/$project/dashboards/$dashboard'
/** A screen on a wall is never reloaded by hand. */
const againOnWall = 60_000

/** A dashboard: to look at, to edit, or on a wall. Its environment, period and filter are in the URL. */
export function DashboardScreen() {
  const { project, environment } = useScope()
  const { dashboard: id } = useParams({ from: route })
  const { edit, tv } = useSearch({ from: route })
  const mayChange = useMay('flags.change')
  const { question } = useQuestion()
  const dashboard = useQuery({
    ...dashboardQuery({ project, dashboard: id }),
    refetchInterval: tv ? againOnWall : false,
  })
  useDefaults(dashboard.data)

  const found = dashboard.data
  if (found === undefined) {
    return (
      <Screen title="Dashboard" crumbs={<DashboardsCrumb />} scope="environment-and-time">
        <Async of={dashboard}>{() => <Missing />}</Async>
      </Screen>
    )
  }
  return (
    <TimeZone value={environment.timeZone}>
      {tv ? (
        <TvDashboard dashboard={found} question={question} />
      ) : edit && mayChange ? (
        <EditDashboard key={found.id} dashboard={found} question={question} />
      ) : (
        <DashboardView dashboard={found} question={question} />
      )}
    </TimeZone>
  )
}

/** What the URL lacks when a dashboard is opened, it gets from the dashboard: from then on, it is the truth. */
function useDefaults(dashboard: Dashboard | undefined) {
  const navigate = useNavigate({ from: route })
  const { t, q } = useSearch({ from: route })
  const id = dashboard?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each dashboard, not when the filter is cleared.
  useEffect(() => {
    if (dashboard === undefined) return
    const { range, filter } = dashboard.defaults
    if (t !== undefined && (q !== undefined || filter === undefined)) return
    void navigate({
      search: (now) => ({ ...now, t: now.t ?? parseTimeRange(range), q: now.q ?? filter }),
      replace: true,
    })
  }, [id])
}
