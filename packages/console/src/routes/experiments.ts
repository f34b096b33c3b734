import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { parseExperimentsSearch } from '../screens/experiments/experiments-search.ts'
import { searchParser, trueOf } from '../ui/search-parameters.ts'
import { project } from './project.tsx'

export const experiments = createRoute({
  getParentRoute: () => project,
  path: '/experiments',
  staticData: { nav: { group: 'Release', label: 'Experiments', icon: 'experiment' } },
  validateSearch: parseExperimentsSearch,
  component: lazyRouteComponent(
    () => import('../screens/experiments/experiments-screen.tsx'),
    'ExperimentsScreen',
  ),
})

export const experiment = createRoute({
  getParentRoute: () => project,
  path: '/experiments/$experiment',
  component: lazyRouteComponent(
    () => import('../screens/experiments/experiment-screen.tsx'),
    'ExperimentScreen',
  ),
})

export const layers = createRoute({
  getParentRoute: () => project,
  path: '/experiments/layers',
  validateSearch: searchParser({ new: trueOf }),
  component: lazyRouteComponent(
    () => import('../screens/experiments/layers/layers-screen.tsx'),
    'LayersScreen',
  ),
})

export const holdouts = createRoute({
  getParentRoute: () => project,
  path: '/experiments/holdouts',
  validateSearch: searchParser({ new: trueOf }),
  component: lazyRouteComponent(
    () => import('../screens/experiments/holdouts/holdouts-screen.tsx'),
    'HoldoutsScreen',
  ),
})

export const holdout = createRoute({
  getParentRoute: () => project,
  path: '/experiments/holdouts/$holdout',
  component: lazyRouteComponent(
    () => import('../screens/experiments/holdouts/holdout-screen.tsx'),
    'HoldoutScreen',
  ),
})
