import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { parseErrorsSearch, parseIssueSearch } from '../screens/errors/errors-search.ts'
import { project } from './project.tsx'

export const errors = createRoute({
  getParentRoute: () => project,
  path: '/errors',
  staticData: { nav: { group: 'Experience', label: 'Errors', icon: 'issue', key: 'e' } },
  validateSearch: parseErrorsSearch,
  component: lazyRouteComponent(() => import('../screens/errors/errors-screen.tsx'), 'ErrorsScreen'),
})

export const errorIssue = createRoute({
  getParentRoute: () => project,
  path: '/errors/$issue',
  validateSearch: parseIssueSearch,
  component: lazyRouteComponent(() => import('../screens/errors/issue/issue-screen.tsx'), 'IssueScreen'),
})
