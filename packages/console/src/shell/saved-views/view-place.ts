import { useParams, useRouter, useRouterState, useSearch } from '@tanstack/react-router'
import { viewSearchOf } from '@telltale/core/query/view-search'
import type { SavedView, ViewScreen } from '../../api/saved-views.ts'

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
  'explore/funnel': true,
  'explore/retention': true,
  'explore/paths': true,
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

/** The address of a view: the environment stays, and the time range if the view has none. */
export function hrefOfView(
  project: string,
  { screen, search }: Pick<SavedView, 'screen' | 'search'>,
  { env, t }: KeptScope,
): string {
  const parameters = new URLSearchParams(search)
  if (env !== undefined) parameters.set('env', env)
  if (t !== undefined && !parameters.has('t')) parameters.set('t', t)
  const text = parameters.toString()
  return `/p/${encodeURIComponent(project)}/${screen}${text === '' ? '' : `?${text}`}`
}

interface KeptScope {
  env?: string | undefined
  t?: string | undefined
}

/** Environment and time range as in the address; undefined where it has none. */
export function useKeptScope(): KeptScope {
  const { env, t }: KeptScope = useSearch({ strict: false })
  return { env, t }
}

/** Opens views. */
export function useOpenView(project: string) {
  const { history } = useRouter()
  const kept = useKeptScope()
  return (view: Pick<SavedView, 'screen' | 'search'>, isReplacing = false) => {
    const href = hrefOfView(project, view, kept)
    if (isReplacing) history.replace(href)
    else history.push(href)
  }
}
