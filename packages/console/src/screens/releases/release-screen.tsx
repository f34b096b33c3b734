import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import type { Question } from '../../api/question.ts'
import { releaseQuery, type ShownRelease } from '../../api/releases.ts'
import { StackedChart } from '../../charts/stacked-chart.tsx'
import { FlagChangeCard } from '../../features/flags/flag-change-card.tsx'
import { type FlagChangeMarker, useFlagMarkers } from '../../features/flags/use-flag-markers.ts'
import { useScope, useSetScope } from '../../shell/scope-context.ts'
import { Screen } from '../../shell/screen.tsx'
import { rangeOf } from '../../shell/time-range.ts'
import { useQuestion } from '../../shell/use-question.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Async } from '../../ui/states.tsx'
import { ReleaseDeploys } from './release-deploys.tsx'
import { ReleaseFacts, ReleaseVitals } from './release-facts.tsx'
import { ReleaseIssues } from './release-issues.tsx'
import { releasePanels, stepsOf } from './release-panels.tsx'
import { ReleasesCrumb } from './releases-crumb.tsx'
import { ReleasesFilter } from './releases-filter.tsx'

/** One version of the application: adoption over time, crashes, vitals and issues. */
export function ReleaseScreen() {
  const { project } = useScope()
  const { version } = useParams({ from: '/p/$project/releases/$version' })
  const requested = useQuestion()
  const { question } = requested
  const release = useQuery(releaseQuery(question, version))

  return (
    // Another version is another screen: the focus moves to its heading.
    <Screen
      key={version}
      title={version}
      heading={<span className="font-code text-12">{version}</span>}
      scope="environment-and-time"
      actions={
        release.data?.previous != null && (
          <Link
            to="/p/$project/releases/compare"
            params={{ project }}
            search={({ env, t, q }) => ({ env, t, q, version, base: release.data?.previous ?? undefined })}
            className={buttonClass('normal')}
          >
            Compare
          </Link>
        )
      }
      crumbs={<ReleasesCrumb />}
    >
      <ReleasesFilter {...requested} />
      <Async of={release}>
        {(shown) => (
          <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] items-start gap-16 full:grid-cols-[minmax(0,1fr)_304px]">
            <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-16">
              <ReleaseCharts release={shown} question={question} />
              <ReleaseIssues release={shown} />
            </div>
            <aside className="grid min-w-0 gap-16" aria-label="Details, deploys and web vitals">
              <ReleaseFacts release={shown} />
              <ReleaseDeploys version={shown.version} question={question} />
              <ReleaseVitals release={shown} />
            </aside>
          </div>
        )}
      </Async>
    </Screen>
  )
}

function ReleaseCharts({ release, question }: { release: ShownRelease; question: Question }) {
  const setScope = useSetScope()
  const changes = useFlagMarkers(question)
  const panels = useMemo(() => releasePanels(release), [release])
  const { times, partial } = useMemo(() => stepsOf(release), [release])
  const choose = useCallback((from: number, to: number) => setScope({ t: rangeOf({ from, to }) }), [setScope])
  const card = useCallback((markers: readonly FlagChangeMarker[]) => <FlagChangeCard markers={markers} />, [])
  return (
    <StackedChart
      label={`${release.version}: ${panels.map(({ sentence }) => sentence).join('; ')}`}
      from={Date.parse(release.from)}
      to={Date.parse(release.to)}
      times={times}
      partial={partial}
      panels={panels}
      changes={changes}
      changeCard={card}
      timeZone={release.timeZone}
      onSpan={choose}
    />
  )
}
