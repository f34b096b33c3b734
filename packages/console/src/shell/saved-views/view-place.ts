import { useParams, useRouter, useRouterState, useSearch } from '@tanstack/react-router'
import type { SavedView, ViewScreen } from '../../api/saved-views.ts'
import { viewSearchOf } from './view-search.ts'

const screens: Record<ViewScreen, true> = {
  flags: true,
  rollouts: true,
  segments: true,
  identities: true,
  'change-requests': true,
  'scheduled-changes': true,
  sessions: true,
  errors: true,
  pages: true,
  profiles: true,
  requests: true,
  releases: true,
  explore: true,
  live: true,
  'settings/audit': true,
}

const isViewScreen = (path: string): path is ViewScreen => Object.hasOwn(screens, path)

interface ViewPlace {
  project: string
  screen: ViewScreen
  /** The view that the address is. */
  search: string
}

/** Undefined on screens without views. */
export function useViewPlace(): ViewPlace | undefined {
  const { project } = useParams({ strict: false })
  const path = useRouterState({
    select: ({ resolvedLocation, location }) => (resolvedLocation ?? location).pathname,
  })
  const text = useRouterState({ select: ({ location }) => location.searchStr })
  const screen = path.replace(/^\/p\/[^/]+\//, '').replace(/\/$/, '')
  return project !== undefined && isViewScreen(screen)
    ? { project, screen, search: viewSearchOf(text) }
    : undefined
}

/** The address of a view in an environment. */
export function hrefOfView(
  project: string,
  { screen, search }: Pick<SavedView, 'screen' | 'search'>,
  env: string | undefined,
): string {
  const parameters = new URLSearchParams(search)
  if (env !== undefined) parameters.set('env', env)
  const text = parameters.toString()
  return `/p/${encodeURIComponent(project)}/${screen}${text === '' ? '' : `?${text}`}`
}

/** The environment of the address: undefined for the project's first. */
export function useAddressedEnvironment(): string | undefined {
  const { env }: { env?: string | undefined } = useSearch({ strict: false })
  return env
}

/** Opens views; the environment stays. */
export function useOpenView(project: string) {
  const { history } = useRouter()
  const env = useAddressedEnvironment()
  return (view: Pick<SavedView, 'screen' | 'search'>, isReplacing = false) => {
    const href = hrefOfView(project, view, env)
    if (isReplacing) history.replace(href)
    else history.push(href)
  }
}
