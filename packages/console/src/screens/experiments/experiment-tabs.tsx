import { Link } from '@tanstack/react-router'
import { useScope } from '../../shell/scope-context.ts'
import { tabClass, tabListClass } from '../../ui/tabs.tsx'

const tabs = [
  { label: 'Experiments', to: '/p/$project/experiments' },
  { label: 'Layers', to: '/p/$project/experiments/layers' },
  { label: 'Holdouts', to: '/p/$project/experiments/holdouts' },
] as const

/** Experiments, and what divides users among them. */
export function ExperimentTabs() {
  const { project } = useScope()
  return (
    <nav aria-label="Experiments" className={`${tabListClass} border-b-0!`}>
      {tabs.map(({ label, to }) => (
        <Link
          key={label}
          to={to}
          params={{ project }}
          search={({ env }) => ({ env })}
          activeOptions={{ exact: true, includeSearch: false }}
          className={tabClass}
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}
