import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { breakdownQuery } from '../../api/pages.ts'
import type { FlameGraph } from '../../api/profiles.ts'
import type { Question } from '../../api/question.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Facts } from '../../ui/facts.tsx'
import { Panel } from '../../ui/panel.tsx'
import { countText, shareText } from '../../ui/text/measure-text.ts'

/** Browsers without the sampling profiler, named as in events. */
const without = /safari|firefox/i

type WhoPanelProps = {
  question: Question
  page: string
  /** One, or both sides of a comparison. */
  graphs: readonly Pick<FlameGraph, 'profiles' | 'sessions' | 'frames' | 'mapped'>[]
}

/** The basis of the numbers: browsers, number of sessions, and the source maps used. */
export function WhoPanel({ question, page, graphs }: WhoPanelProps) {
  const { project, environment } = useScope()
  const browsers = useQuery(breakdownQuery(question, { page, by: 'browser' }))
  const groups = browsers.data?.groups ?? []
  const views = groups.reduce((sum, group) => sum + group.views, 0)
  const uncovered = groups.filter(({ value }) => without.test(value))
  const missed = uncovered.reduce((sum, group) => sum + group.views, 0)
  const names = (of: typeof groups) => of.map(({ value }) => value).join(', ')
  const covered = groups.filter(({ value, views }) => value !== '' && views > 0 && !without.test(value))
  const versions = [
    ...new Set(
      graphs.flatMap(({ frames }) =>
        frames.filter(({ original }) => original !== null).map(({ version }) => version),
      ),
    ),
  ].filter(Boolean)

  return (
    <Panel title="Coverage">
      <Facts
        inWords
        facts={[
          ['Profiles', graphs.map(({ profiles }) => countText(profiles)).join(' and ')],
          ['Sessions', graphs.map(({ sessions }) => countText(sessions)).join(' and ')],
          ['Sampling rate', `${environment.sampling.profile}% of sessions`],
          ['Browsers', names(covered) || 'Chrome, Edge and other Chromium browsers'],
          [
            'Not covered',
            missed > 0 ? `${names(uncovered)} (${shareText(missed / views)} of views)` : 'Safari, Firefox',
          ],
          [
            'Source maps',
            graphs.some(({ mapped }) => mapped) ? (
              <span key="maps" className="text-ok">
                ✓ {versions.slice(0, 3).join(', ') || 'found'}
              </span>
            ) : (
              <Link
                key="maps"
                to="/p/$project/settings/source-maps"
                params={{ project }}
                search={{ upload: true }}
                className="text-accent underline underline-offset-2"
              >
                none found: upload
              </Link>
            ),
          ],
        ]}
      />
    </Panel>
  )
}
