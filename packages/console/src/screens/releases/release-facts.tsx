import { Link } from '@tanstack/react-router'
import type { ShownRelease } from '../../api/releases.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Facts } from '../../ui/facts.tsx'
import { Panel } from '../../ui/panel.tsx'
import { countOf } from '../../ui/text/measure-text.ts'
import { Time } from '../../ui/text/time.tsx'
import { vitalTitles } from '../../ui/text/vital-names.ts'
import { VitalValue } from '../../ui/text/vital-value.tsx'
import { filterOf } from './releases-search.ts'

export function ReleaseFacts({ release }: { release: ShownRelease }) {
  const { project } = useScope()
  const { version, firstSeenAt, lastSeenAt, previous, sourceMaps } = release
  return (
    <Panel title="Details">
      <Facts
        inWords
        facts={[
          ['First seen', <Time key="first" at={firstSeenAt} />],
          ['Last seen', <Time key="last" at={lastSeenAt} />],
          [
            'Previous version',
            previous === null ? (
              'none'
            ) : (
              <Link
                key="previous"
                to="/p/$project/releases/$version"
                params={{ project, version: previous }}
                search={({ env, t }) => ({ env, t })}
                className="text-accent hover:underline"
              >
                <code>{previous}</code>
              </Link>
            ),
          ],
          [
            'Source maps',
            sourceMaps > 0 ? (
              `${countOf(sourceMaps, 'file')} uploaded`
            ) : (
              <Link
                key="maps"
                to="/p/$project/settings/source-maps"
                params={{ project }}
                className="text-accent hover:underline"
              >
                Upload source maps
              </Link>
            ),
          ],
          [
            'Sessions',
            <Link
              key="sessions"
              to="/p/$project/sessions"
              params={{ project }}
              search={({ env, t }) => ({ env, t, q: filterOf(version) })}
              className="text-accent hover:underline"
            >
              Show sessions
            </Link>,
          ],
        ]}
      />
    </Panel>
  )
}

export function ReleaseVitals({ release: { vitals } }: { release: ShownRelease }) {
  return (
    <Panel title="Web vitals" note="p75">
      <Facts
        inWords
        facts={vitals.map(({ name, p75, count }) => [
          vitalTitles[name],
          <VitalValue key={name} name={name} value={p75} count={count} />,
        ])}
      />
    </Panel>
  )
}
