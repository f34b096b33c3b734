import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import {
  parsePageProfilesSearch,
  parseProfileSearch,
  parseProfilesSearch,
} from '../screens/profiles/profiles-search.ts'
import { project } from './project.tsx'

export const profiles = createRoute({
  getParentRoute: () => project,
  path: '/profiles',
  staticData: { nav: { group: 'Experience', label: 'Profiles', icon: 'profile', key: 'p' } },
  validateSearch: parseProfilesSearch,
  component: lazyRouteComponent(() => import('../screens/profiles/profiles-screen.tsx'), 'ProfilesScreen'),
})

export const pageProfiles = createRoute({
  getParentRoute: () => project,
  path: '/profiles/$page',
  validateSearch: parsePageProfilesSearch,
  component: lazyRouteComponent(
    () => import('../screens/profiles/page-profiles-screen.tsx'),
    'PageProfilesScreen',
  ),
})

export const oneProfile = createRoute({
  getParentRoute: () => project,
  path: '/profiles/one/$profile',
  validateSearch: parseProfileSearch,
  component: lazyRouteComponent(() => import('../screens/profiles/profile-screen.tsx'), 'ProfileScreen'),
})
