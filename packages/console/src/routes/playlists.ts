import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { project } from './project.tsx'

export const playlists = createRoute({
  getParentRoute: () => project,
  path: '/playlists',
  staticData: { nav: { group: 'Experience', label: 'Playlists', icon: 'columns' } },
  component: lazyRouteComponent(() => import('../screens/playlists/playlists-screen.tsx'), 'PlaylistsScreen'),
})

export const playlist = createRoute({
  getParentRoute: () => project,
  path: '/playlists/$playlist',
  component: lazyRouteComponent(() => import('../screens/playlists/playlist-screen.tsx'), 'PlaylistScreen'),
})
