import { Link } from '@tanstack/react-router'
import { useScope } from '../../shell/scope-context.ts'
import { tabClass, tabListClass } from '../../ui/tabs.tsx'

const tabs = [
  { label: 'Events', to: '/p/$project/explore' },
  { label: 'Funnel', to: '/p/$project/explore/funnel' },
  { label: 'Retention', to: '/p/$project/explore/retention' },
  { label: 'Paths', to: '/p/$project/explore/paths' },
] as const

/** Each tab has an address of its own; environment, time range and filter stay. */
export function ExploreTabs() {
  const { project } = useScope()
  return (
    <nav aria-label="Explore" className={`${tabListClass} border-b-0!`}>
      {tabs.map(({ label, to }) => (
        <Link
          key={label}
          to={to}
          params={{ project }}
          search={({ env, t, q }) => ({ env, t, q })}
          activeOptions={{ exact: true, includeSearch: false }}
          className={tabClass}
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}
