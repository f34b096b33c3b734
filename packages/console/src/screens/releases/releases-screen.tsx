import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type Release, releasesQuery } from '../../api/releases.ts'
import { BotSwitch } from '../../shell/bot-switch.tsx'
import { NothingFound } from '../../shell/nothing-found.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { Screen } from '../../shell/screen.tsx'
import { useQuestion } from '../../shell/use-question.ts'
import { buttonClass } from '../../ui/button.tsx'
import { FilterBar } from '../../ui/filter/filter-bar.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async } from '../../ui/states.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { AdoptionPanel } from './adoption-panel.tsx'
import { releaseColumns } from './release-columns.tsx'
import { ReleasesFilter } from './releases-filter.tsx'
import { listOf, parseReleasesSearch, type ReleasesSearch } from './releases-search.ts'

/** Versions of the application: adoption, crash-free sessions and users, issues. */
export function ReleasesScreen() {
  const { project } = useScope()
  const search = useSearch({ from: '/p/$project/releases' })
  const navigate = useNavigate({ from: '/p/$project/releases' })
  const requested = useQuestion()
  const { question, filter, setFilter } = requested
  const set = (change: ReleasesSearch) =>
    void navigate({ search: (now) => ({ ...now, ...change }), resetScroll: false })
  const list = listOf(search)
  const releases = useInfiniteQuery(releasesQuery(question, list))
  const pages = releases.data?.pages
  const rows = useMemo(() => (pages ?? []).flatMap(({ items }) => items), [pages])
  const isNarrowed = search.q !== undefined || search.find !== undefined

  return (
    <Screen
      title="Releases"
      scope="environment-and-time"
      actions={rows.length > 1 && <CompareLink project={project} />}
    >
      <ReleasesFilter {...requested} />
      <FilterBar
        label="Search versions"
        text={search.find ?? ''}
        onText={(find) => set({ find: find || undefined })}
        isSecond
        note={rows.length > 0 && countOf(rows.length, releases.hasNextPage)}
      >
        <BotSwitch question={question} filter={filter} onFilter={setFilter} />
      </FilterBar>
      {rows.length > 0 && <AdoptionPanel question={question} />}
      <Async
        of={releases}
        isEmpty={() => rows.length === 0}
        empty={
          <Panel>
            <NothingFound
              of="releases"
              onClear={isNarrowed ? () => set({ q: undefined, find: undefined }) : undefined}
              otherwise={{
                title: 'No releases in this time range',
                detail:
                  'A release appears when your application reports its version. Set `version` in the call of `init`.',
              }}
            />
          </Panel>
        }
      >
        {() => (
          <DataTable<Release>
            label="Releases"
            rows={rows}
            rowId={({ version }) => version}
            columns={releaseColumns}
            sorted
            sort={{ id: list.sort ?? 'first-seen', desc: true }}
            onSort={({ id }) => set({ sort: parseReleasesSearch({ sort: id }).sort })}
            onOpen={({ version }) =>
              void navigate({
                to: '/p/$project/releases/$version',
                params: { project, version },
                search: ({ q }) => ({ q }),
              })
            }
            more={releases}
          />
        )}
      </Async>
    </Screen>
  )
}

function CompareLink({ project }: { project: string }) {
  return (
    <Link
      to="/p/$project/releases/compare"
      params={{ project }}
      search={({ env, t, q }) => ({ env, t, q })}
      className={buttonClass('normal')}
    >
      Compare
    </Link>
  )
}

function countOf(count: number, hasMore: boolean): string {
  const text = count === 1 ? '1 release' : `${count.toLocaleString('en-GB')} releases`
  return hasMore ? `the first ${text}` : text
}
