import { Link } from '@tanstack/react-router'
import type { ExploreSearch } from '../../features/explore/explore-search.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Icon } from '../../ui/icon.tsx'
import { Panel } from '../../ui/panel.tsx'

const examples: readonly { title: string; note: string; search: ExploreSearch }[] = [
  {
    title: 'Most viewed pages',
    note: 'Views by page',
    search: { measure: 'count', kind: 'view', by: 'page', look: 'stacked' },
  },
  {
    title: 'LCP by browser',
    note: 'p75 of LCP by browser',
    search: { measure: 'p75', of: 'lcp', by: 'browser' },
  },
  {
    title: 'Failing requests',
    note: 'Share of requests that failed, by endpoint',
    search: { measure: 'share', part: 'failed:true', kind: 'resource', q: 'endpoint:*', by: 'endpoint' },
  },
  {
    title: 'Users affected by errors',
    note: 'Users with an error, by version, vs previous period',
    search: { measure: 'users', kind: 'error', by: 'version', compare: true },
  },
  {
    title: 'Rage clicks',
    note: 'Rage clicks by page and element',
    search: { measure: 'count', kind: 'action', q: 'frustration:rage', by: 'page,target', look: 'bars' },
  },
  {
    title: 'Response time by country',
    note: 'p95 of the duration of requests',
    search: { measure: 'p95', of: 'duration', kind: 'resource', q: 'endpoint:*', by: 'country' },
  },
]

/** Example questions: one click runs them, and every part can be edited. */
export function Examples() {
  const { project } = useScope()
  return (
    <Panel title="Explore your data" note="Start with an example, or choose a measure above.">
      <ul className="grid gap-8 wide:grid-cols-2 full:grid-cols-3">
        {examples.map(({ title, note, search }) => (
          <li key={title}>
            <Link
              to="/p/$project/explore"
              params={{ project }}
              search={(now) => ({ env: now.env, t: now.t, ...search })}
              className="grid h-full grid-cols-[minmax(0,1fr)_auto] items-center gap-x-12 gap-y-2 rounded-control border border-line px-12 py-10 hover:bg-hover"
            >
              <span className="font-medium">{title}</span>
              <Icon name="right" className="row-span-2 size-16 text-text-3" />
              <span className="text-12 text-text-3">{note}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
