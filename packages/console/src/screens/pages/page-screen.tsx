import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { emptyFilter, type Filter } from '@telltale/core/query/filter'
import type { ReactNode } from 'react'
import { type PageDetail, pageQuery } from '../../api/pages.ts'
import type { Question } from '../../api/question.ts'
import { Health } from '../../features/health/health.tsx'
import { ReplayMoments } from '../../features/replays/replay-moments.tsx'
import { NothingFound } from '../../shell/nothing-found.tsx'
import { SampleNote } from '../../shell/sample-note.tsx'
import { Screen } from '../../shell/screen.tsx'
import { useFilterValues, useQuestion } from '../../shell/use-question.ts'
import { TelemetryFilter } from '../../ui/filter/telemetry-filter.tsx'
import { Segmented } from '../../ui/form/choice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async } from '../../ui/states.tsx'
import { countText, dashAtZero } from '../../ui/text/measure-text.ts'
import { filterOfPage } from '../../ui/text/page-chip.ts'
import { BreakdownPanel } from './breakdown-panel.tsx'
import { ElementsPanel } from './elements-panel.tsx'
import { LongFramesPanel } from './long-frames-panel.tsx'
import { PageCrossLinks } from './page-cross-links.tsx'
import { type PageSearch, vitals } from './pages-search.ts'
import { ResourcesPanel } from './resources-panel.tsx'
import { VitalPanel } from './vital-panel.tsx'
import { VitalSuspects } from './vital-suspects.tsx'

/** The performance of one page. */
export function PageScreen() {
  const { page } = useParams({ from: '/p/$project/pages/$page' })
  const { question, filter, fault, setFilter } = useQuestion()
  const found = useQuery(pageQuery(question, page))
  const isFiltered = filter.chips.length + filter.words.length > 0

  return (
    <Screen
      title={page}
      heading={<code>{page}</code>}
      crumbs={
        <Link from="/p/$project/pages/$page" to="/p/$project/pages" search={({ q }: PageSearch) => ({ q })}>
          Pages
        </Link>
      }
      scope="environment-and-time"
    >
      <TelemetryFilter
        label="Filter: device:mobile, flag:checkout=new, country:DE"
        filter={filter}
        onFilter={setFilter}
        fault={fault}
        loadValues={useFilterValues(question)}
      />
      <Async
        of={found}
        isEmpty={isUnseen}
        empty={
          <Panel>
            <NothingFound
              of="views of this page"
              onClear={isFiltered ? () => setFilter(emptyFilter) : undefined}
            />
          </Panel>
        }
      >
        {(detail) => (
          <div className="grid min-w-0 gap-16">
            <div className="flex flex-wrap items-end justify-between gap-x-24 gap-y-12">
              <div className="grid gap-4">
                <Figures detail={detail} />
                <p className="text-12 text-text-3 empty:hidden">
                  <SampleNote sample={detail.sample} />
                </p>
              </div>
              <PageCrossLinks page={page} filter={filter} />
            </div>
            <div className="grid min-w-0 gap-16 [grid-template-columns:repeat(auto-fill,minmax(min(100%,300px),1fr))]">
              {detail.vitals.map((vital) => (
                <VitalPanel key={vital.name} vital={vital} />
              ))}
            </div>
            <Health question={{ ...question, filter: filterOfPage(filter, page) }} />
            <OfVital detail={detail} page={page} />
            <PageReplays page={page} requested={question} filter={filter} />
            <div className="grid min-w-0 items-start gap-16 full:grid-cols-2">
              <ResourcesPanel question={question} page={page} />
              <LongFramesPanel question={question} page={page} />
            </div>
          </div>
        )}
      </Async>
    </Screen>
  )
}

/** Panels about one vital at a time. */
function OfVital({ detail, page }: { detail: PageDetail; page: string }) {
  const { question, filter } = useQuestion()
  const { vital = 'LCP' } = useSearch({ from: '/p/$project/pages/$page' })
  const navigate = useNavigate({ from: '/p/$project/pages/$page' })
  return (
    <div className="grid min-w-0 gap-12">
      <div className="flex flex-wrap items-center gap-12">
        <h2 className="font-strong text-14">Breakdown</h2>
        <Segmented
          label="Vital"
          choices={vitals.map((value) => ({ value, label: value }))}
          value={vital}
          onValue={(next) =>
            void navigate({ search: (now) => ({ ...now, vital: next }), replace: true, resetScroll: false })
          }
        />
      </div>
      <div className="grid min-w-0 items-start gap-16 full:grid-cols-2">
        <BreakdownPanel question={question} page={page} vital={vital} />
        <ElementsPanel question={question} page={page} vital={vital} />
      </div>
      <VitalSuspects
        question={question}
        filter={filter}
        page={page}
        vital={detail.vitals.find(({ name }) => name === vital)}
      />
    </div>
  )
}

function isUnseen({ views, errors, vitals }: PageDetail): boolean {
  return views === 0 && errors === 0 && vitals.every(({ count }) => count === 0)
}

function Figures({ detail }: { detail: PageDetail }) {
  return (
    <dl className="flex flex-wrap gap-x-32 gap-y-8">
      <Figure name="Views">{countText(detail.views)}</Figure>
      <Figure name="Sessions">{countText(detail.sessions)}</Figure>
      <Figure name="JS errors">{dashAtZero(detail.errors)}</Figure>
      <Figure name="Long frames">{dashAtZero(detail.longFrames)}</Figure>
    </dl>
  )
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-12 text-text-3">{name}</dt>
      <dd className="font-medium text-22 tracking-[-.02em]">{children}</dd>
    </div>
  )
}

type PageReplaysProps = { page: string; requested: Question; filter: Filter }

/** Replays: where the page was slow, and rage clicks. */
function PageReplays({ page, requested, filter }: PageReplaysProps) {
  const question = { ...requested, filter: filterOfPage(filter, page) }
  return (
    <div className="grid min-w-0 items-start gap-16 full:grid-cols-2">
      <ReplayMoments
        title="Replays of slow visits"
        note="slowest first"
        question={question}
        of="slow"
        none="No recordings of slow visits."
      />
      <ReplayMoments
        title="Replays with frustration"
        note="rage, dead and error clicks"
        question={question}
        of="frustration"
        none="No recordings with frustration."
      />
    </div>
  )
}
