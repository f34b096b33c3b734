import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Question } from '../../api/question.ts'
import { comparisonQuery, releasesQuery } from '../../api/releases.ts'
import { NothingFound } from '../../shell/nothing-found.tsx'
import { Screen } from '../../shell/screen.tsx'
import { useQuestion } from '../../shell/use-question.ts'
import { Select } from '../../ui/form/select.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async, Empty } from '../../ui/states.tsx'
import { ComparisonTable } from './comparison-table.tsx'
import { ReleasesCrumb } from './releases-crumb.tsx'
import { ReleasesFilter } from './releases-filter.tsx'

/** Any two versions of the application, with intervals; the two newest ones until others are chosen. */
export function CompareScreen() {
  const requested = useQuestion()
  const { question, setFilter } = requested
  const releases = useInfiniteQuery(releasesQuery(question, { sort: undefined, search: undefined }))
  const pages = releases.data?.pages
  const known = useMemo(
    () => (pages ?? []).flatMap(({ items }) => items.map(({ version }) => version)),
    [pages],
  )

  return (
    <Screen title="Compare releases" scope="environment-and-time" crumbs={<ReleasesCrumb />}>
      <ReleasesFilter {...requested} />
      <Async
        of={releases}
        isEmpty={() => known.length === 0}
        empty={
          <Panel>
            <NothingFound
              of="releases"
              onClear={question.filter === '' ? undefined : () => setFilter({ chips: [], words: [] })}
            />
          </Panel>
        }
      >
        {() => <Compared question={question} known={known} />}
      </Async>
    </Screen>
  )
}

type ComparedProps = { question: Question; known: readonly string[] }

function Compared({ question, known }: ComparedProps) {
  const search = useSearch({ from: '/p/$project/releases/compare' })
  const navigate = useNavigate({ from: '/p/$project/releases/compare' })
  const version = search.version ?? known[0] ?? ''
  const base = search.base ?? known.find((one, index) => one !== version && index > known.indexOf(version))
  const other = base ?? known.find((one) => one !== version) ?? ''
  const choose = (change: { version?: string; base?: string }) =>
    void navigate({ search: (now) => ({ ...now, version, base: other, ...change }), resetScroll: false })
  // A version of the address may be outside of the time range.
  const optionsOf = (own: string) =>
    [...new Set([own, ...known])].filter((one) => one !== '').map((one) => ({ value: one, label: one }))

  return (
    <>
      <div className="flex flex-wrap items-end gap-12">
        <Select
          label="Version"
          options={optionsOf(version)}
          value={version}
          onValue={(next) => choose(next === other ? { version: next, base: version } : { version: next })}
        />
        <Select
          label="Compared with"
          options={optionsOf(other)}
          value={other}
          onValue={(next) => choose(next === version ? { base: next, version: other } : { base: next })}
        />
      </div>
      {other === '' || other === version ? (
        <Panel>
          <Empty title="Only one release in this time range">
            Choose a longer time range to compare it with an earlier version.
          </Empty>
        </Panel>
      ) : (
        <Comparison question={question} version={version} base={other} />
      )}
    </>
  )
}

type ComparisonProps = { question: Question; version: string; base: string }

function Comparison({ question, version, base }: ComparisonProps) {
  const comparison = useQuery(comparisonQuery(question, { version, base }))
  return (
    <Async of={comparison}>
      {(reply) => (
        <>
          <Notice tone="info" title="An observation, not an experiment" detail={reply.caveat} />
          <ComparisonTable comparison={reply} />
        </>
      )}
    </Async>
  )
}
