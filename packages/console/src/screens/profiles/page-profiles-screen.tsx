import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { emptyFilter } from '@telltale/core/query/filter'
import { flameGraphQuery, profilePagesQuery } from '../../api/profiles.ts'
import { Screen } from '../../shell/screen.tsx'
import { useFilterValues, useQuestion } from '../../shell/use-question.ts'
import { TelemetryFilter } from '../../ui/filter/telemetry-filter.tsx'
import { Segmented } from '../../ui/form/choice.tsx'
import { Select } from '../../ui/form/select.tsx'
import { Async } from '../../ui/states.tsx'
import { DifferencePickers } from './difference-pickers.tsx'
import { DifferenceView } from './difference-view.tsx'
import { FlameView } from './flame-view.tsx'
import { NoProfiles } from './no-profiles.tsx'
import type { PageProfilesSearch, ProfileView } from './profiles-search.ts'
import { useProfilesSearch } from './use-profiles-search.ts'

const views = [
  { value: 'flame', label: 'Flame' },
  { value: 'difference', label: 'Difference' },
  { value: 'functions', label: 'Functions' },
] as const satisfies readonly { value: ProfileView; label: string }[]

/** Script profiles of one page: as a flame graph, as a comparison of two variations, or as a list of functions. */
export function PageProfilesScreen() {
  const { page } = useParams({ from: '/p/$project/profiles/$page' })
  const { question, filter, fault, setFilter } = useQuestion()
  const { search, set } = useProfilesSearch()
  const { view = 'flame' } = search
  const isFiltered = filter.chips.length + filter.words.length > 0
  const nothing = <NoProfiles onClear={isFiltered ? () => setFilter(emptyFilter) : undefined} />

  return (
    <Screen
      title={`Profiles of ${page}`}
      heading={
        <>
          <span className="sr-only">Profiles of </span>
          <code>{page}</code>
        </>
      }
      crumbs={
        <Link
          from="/p/$project/profiles/$page"
          to="/p/$project/profiles"
          search={({ q }: PageProfilesSearch) => ({ q })}
        >
          Profiles
        </Link>
      }
      scope="environment-and-time"
    >
      <TelemetryFilter
        label="Filter: browser:Chrome, flag:checkout=new, version:1.4.0"
        filter={filter}
        onFilter={setFilter}
        fault={fault}
        loadValues={useFilterValues(question)}
      />
      <div className="flex flex-wrap items-center justify-between gap-8">
        <div className="flex min-w-0 flex-wrap items-center gap-8">
          <PageSelect page={page} />
          {view === 'difference' && <DifferencePickers question={question} page={page} />}
        </div>
        <Segmented
          label="View"
          choices={views}
          value={view}
          onValue={(next) => set({ view: next, zoom: undefined })}
        />
      </div>
      {view === 'difference' ? (
        <DifferenceView question={question} page={page} nothing={nothing} />
      ) : (
        <Summed isTable={view === 'functions'} page={page} nothing={nothing} />
      )}
    </Screen>
  )
}

type SummedProps = { page: string; isTable: boolean; nothing: React.ReactNode }

function Summed({ page, isTable, nothing }: SummedProps) {
  const { question } = useQuestion()
  const graph = useQuery(flameGraphQuery(question, page))
  return (
    <Async of={graph} isEmpty={({ profiles }) => profiles === 0} empty={nothing}>
      {(found) => <FlameView question={question} page={page} graph={found} isTable={isTable} />}
    </Async>
  )
}

/** Other pages with profiles. The comparison is kept; the zoom only applies to this page. */
function PageSelect({ page }: { page: string }) {
  const { question } = useQuestion()
  const navigate = useNavigate({ from: '/p/$project/profiles/$page' })
  const { data = [] } = useQuery(profilePagesQuery(question))
  const names = data.map((one) => one.page).filter((name) => name !== '')
  const options = [...new Set([page, ...names])].toSorted()
  return (
    <div className="min-w-menu max-w-card font-code">
      <Select
        label="Page"
        hideLabel
        options={options.map((value) => ({ value, label: value }))}
        value={page}
        onValue={(next) =>
          void navigate({
            params: { page: next },
            search: (now) => ({ ...now, zoom: undefined, fn: undefined, find: undefined }),
          })
        }
      />
    </div>
  )
}
