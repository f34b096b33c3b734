// The views of a Faro session, which the client does not name. A page load begins one: it is announced twice, when the
// client starts and once the page has loaded. So does the first item from another path, because each names its page.
// Items arrive late and out of order, so views are found by the times of the client.

interface FaroView {
  id: string
  url: string
  path: string
  /** The route of the framework, once it is known. */
  page: string | undefined
  name: 'load' | 'route'
  startedAt: number
  /** When the client started on this page. */
  initAt: number | undefined
  /** The client's ID of the page load. */
  navigation: string | undefined
  /** Set by who stored its beginning. */
  isStored: boolean
  /** How often each web vital was reported. */
  vitals: Map<string, number>
}

export interface FaroVisit {
  views: FaroView[]
  /** Requests are reported as spans, too. */
  isTraced: boolean
  requests: { url: string; at: number }[]
  /** Added to the times of the client, whose clock may be wrong. */
  offset: number
}

export type { FaroView }

const viewsKept = 50

export const newVisit = (): FaroVisit => ({ views: [], isTraced: false, requests: [], offset: 0 })

/** Without query, and without a fragment that is no route. */
export function pathOf(url: string): string {
  const [address = '', fragment = ''] = url.split('#', 2)
  const [path = ''] = address.split('?', 1)
  return fragment.startsWith('/') ? `${path}#${fragment.split('?', 1)[0]}` : path
}

interface Loaded {
  at: number
  url: string
  idOf(text: string): string
  /** Given once the page has loaded; without it, the client starts. */
  navigation?: string
}

/** The view of a page load, begun by whichever announcement arrives first. */
export function loadView(visit: FaroVisit, { at, url, idOf, navigation }: Loaded): FaroView {
  const last = visit.views.findLast(({ name }) => name === 'load')
  const isAnnounced = navigation === undefined ? last?.initAt : last?.navigation
  const isSame = last !== undefined && last.path === pathOf(url) && isAnnounced === undefined
  const view = isSame ? last : begin(visit, { at, url, name: 'load', idOf })
  if (navigation === undefined) view.initAt = at
  else view.navigation = navigation
  if (!view.isStored) view.startedAt = Math.min(view.startedAt, at)
  return view
}

/** The view of an item that happened on this page. */
export function pageView(visit: FaroVisit, { at, url, idOf }: Omit<Loaded, 'navigation'>): FaroView {
  const path = pathOf(url)
  const { views } = visit
  const index = views.findLastIndex(({ startedAt }) => startedAt <= at)
  const [current, next] = [views[index], views[index + 1]]
  if (current?.path === path) return current
  if (next?.path === path) {
    if (!next.isStored) next.startedAt = at
    return next
  }
  return begin(visit, { at, url, name: 'route', idOf })
}

/** The view at a time, for what began earlier than it was reported: its page may be another. */
export function viewAt(visit: FaroVisit, at: number, navigation?: string): FaroView | undefined {
  const { views } = visit
  const from = navigation === undefined ? -1 : views.findIndex((view) => view.navigation === navigation)
  const found = views.findLast(({ startedAt }) => startedAt <= at)
  if (from < 0) return found ?? views[0]
  const after = views.slice(from + 1)
  const end = after.findIndex(({ name }) => name === 'load')
  const ofLoad = views.slice(from, end < 0 ? undefined : from + 1 + end)
  return ofLoad.findLast(({ startedAt }) => startedAt <= at) ?? ofLoad[0]
}

/** The page load that web vitals belong to. */
export function loadAt(visit: FaroVisit, at: number, navigation?: string): FaroView | undefined {
  const named =
    navigation === undefined ? undefined : visit.views.find((view) => view.navigation === navigation)
  return named ?? visit.views.findLast(({ name, startedAt }) => name === 'load' && startedAt <= at)
}

type Begun = Pick<FaroView, 'url' | 'name'> & { at: number; idOf(text: string): string }

function begin({ views }: FaroVisit, { at, url, name, idOf }: Begun): FaroView {
  const path = pathOf(url)
  const view: FaroView = {
    ...{ id: idOf(`view ${at} ${path}`), url, path, page: undefined, name, startedAt: at },
    ...{ initAt: undefined, navigation: undefined, isStored: false, vitals: new Map() },
  }
  const after = views.findIndex(({ startedAt }) => startedAt > at)
  views.splice(after < 0 ? views.length : after, 0, view)
  if (views.length > viewsKept) views.shift()
  return view
}
