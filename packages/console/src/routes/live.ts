import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { textOf } from '../ui/text/text-of.ts'
import { project } from './project.tsx'

export const live = createRoute({
  getParentRoute: () => project,
  path: '/live',
  staticData: { nav: { group: 'Experience', label: 'Live tail', icon: 'live', key: 'l' } },
  validateSearch: (search: Record<string, unknown>): { q?: string | undefined } => ({ q: textOf(search.q) }),
  component: lazyRouteComponent(() => import('../screens/live/live-screen.tsx'), 'LiveScreen'),
})
