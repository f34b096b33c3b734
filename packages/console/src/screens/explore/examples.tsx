import { Link } from '@tanstack/react-router'
import { useScope } from '../../shell/scope-context.ts'
import { Icon } from '../../ui/icon.tsx'
import { Panel } from '../../ui/panel.tsx'
import type { ExploreSearch } from './explore-search.ts'

const examples: readonly { title: string; note: string; search: ExploreSearch }[] = [
  {
    title: 'Which pages are looked at most?',
    note: 'Views by page',
    search: { measure: 'count', kind: 'view', by: 'page', look: 'stacked' },
  },
  {
    title: 'In which browsers do people wait longest?',
    note: 'p75 of LCP by browser',
    search: { measure: 'p75', of: 'lcp', by: 'browser' },
  },
  {
    title: 'Which requests fail?',
    note: 'Share of requests that failed, by endpoint',
    search: { measure: 'share', part: 'failed:true', kind: 'resource', q: 'endpoint:*', by: 'endpoint' },
  },
  {
    title: 'Whom do errors reach, and in which version?',
    note: 'People with an error, by version, beside the time before',
    search: { measure: 'users', kind: 'error', by: 'version', compare: true },
  },
  {
    title: 'Where do people click in anger?',
    note: 'Rage clicks by page and element',
    search: { measure: 'count', kind: 'action', q: 'frustration:rage', by: 'page,target', look: 'bars' },
  },
  {
    title: 'How fast does the server answer, by country?',
    note: 'p95 of the duration of requests',
    search: { measure: 'p95', of: 'duration', kind: 'resource', q: 'endpoint:*', by: 'country' },
  },
]

/** Questions to start from: one click asks, everything in them can be changed. */
export function Examples() {
  const { project } = useScope()
  return (
    <Panel
      title="Ask about anything that happened"
      note="Begin with one of these, or choose a measure above."
    >
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
