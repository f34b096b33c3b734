import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { searchParser } from '../ui/search-parameters.ts'
import { textOf } from '../ui/text/text-of.ts'
import { project } from './project.tsx'

export const live = createRoute({
  getParentRoute: () => project,
  path: '/live',
  staticData: { nav: { group: 'Experience', label: 'Live tail', icon: 'live', key: 'l' } },
  validateSearch: searchParser({ q: textOf }),
  component: lazyRouteComponent(() => import('../screens/live/live-screen.tsx'), 'LiveScreen'),
})
