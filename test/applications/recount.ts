// The same numbers twice: from the record of the script and its pages, and from what the server answers.

import type { FlagServer } from '../browser/flag-server.ts'
import { type Done, templateOf } from './drive-visit.ts'
import type { PageRecord } from './start-application.ts'

type Counts = Record<string, number>

export interface VisitNumbers {
  sessions: number
  pages: string[]
  actions: number
  /** By endpoint and status; 0: no answer. */
  requests: Counts
  failedRequests: number
  /** Files that could not be loaded. */
  failedFiles: number
  errors: Counts
  unhandledErrors: number
  exposures: Counts
  customs: number
}

const tally = (names: readonly string[]): Counts => {
  const counts: Counts = {}
  for (const name of [...names].sort()) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
export const isOf = <Kind extends PageRecord['kind']>(kind: Kind) => {
  return (record: PageRecord): record is Extract<PageRecord, { kind: Kind }> => record.kind === kind
}

/** What the application or the page's end cancelled has not failed. */
export const hasFailed = ({ status, aborted }: { status: number; aborted: boolean }) =>
  !aborted && (status === 0 || status >= 400)

/** What a visit should be, by the script and the records of its pages. */
export function expectedOf(done: Done, all: readonly PageRecord[]): VisitNumbers {
  const records = all.filter(({ visit }) => visit === done.visit)
  const loads = records.filter(isOf('load'))
  const requests = records.filter(isOf('request'))
  const errors = records.filter(isOf('error'))
  const reads = new Set(
    records
      .filter(isOf('read'))
      .map(({ flag, variant, unit }) => JSON.stringify([`${flag}=${variant}`, unit])),
  )
  return {
    sessions: loads.length > 0 ? 1 : 0,
    pages: done.isCut ? loads.map(({ path }) => `*${templateOf(path)}`) : done.pages,
    actions: records.filter(isOf('action')).length,
    requests: tally(requests.map(({ path, status }) => `${templateOf(path)} ${status}`)),
    failedRequests: requests.filter(hasFailed).length,
    failedFiles: records.filter(isOf('file')).length,
    errors: tally(errors.map(({ message }) => message)),
    unhandledErrors: errors.filter(({ handled }) => !handled).length,
    exposures: tally([...reads].map((read) => JSON.parse(read)[0])),
    customs: records.filter(isOf('custom')).length,
  }
}

interface StoredEvent {
  kind: string
  session: string
  view: string
  at: string
  page: string
  name: string
  value: number
  target: string
  endpoint: string
  status: number
  failed: boolean
  errorMessage: string
  flags: string[]
  attributes: Record<string, string>
}

interface Session {
  id: string
  views: number
  actions: number
  requests: number
  failedRequests: number
  errors: number
  unhandledErrors: number
}

export interface Stored {
  events: StoredEvent[]
  sessions: Session[]
}

export const environment = '/api/v1/projects/shop/environments/production'

export async function listAll<Item>(server: FlagServer, path: string): Promise<Item[]> {
  const items: Item[] = []
  let cursor: string | undefined
  do {
    const query = new URLSearchParams({ limit: '200', ...(cursor && { cursor }) })
    const page = (await server.get(`${environment}/${path}?${query}`)) as { items: Item[]; next?: string }
    items.push(...page.items)
    cursor = page.next
  } while (cursor)
  return items
}

export async function readStored(server: FlagServer): Promise<Stored> {
  return { events: await listAll(server, 'events'), sessions: await listAll(server, 'sessions') }
}

export const sessionsOf = ({ events }: Stored, visit: string) => [
  ...new Set(events.filter(({ attributes }) => attributes.visit === visit).map(({ session }) => session)),
]

/**
 * Ids of views begin with the time at which the page began them. The server's times include how long a batch was on its way, and
 * two pages of one second may change places.
 */
export const byPageClock =
  <Item>(idOf: (item: Item) => string) =>
  (one: Item, other: Item) =>
    idOf(one).localeCompare(idOf(other))

const recorderStopped = 'Error: The recorder stopped: over-budget'

/** What the server says of a visit. */
export function storedOf(stored: Stored, visit: string): VisitNumbers {
  const ids = sessionsOf(stored, visit)
  const events = stored.events.filter(({ session }) => ids.includes(session))
  const sum = (name: Exclude<keyof Session, 'id'>) =>
    stored.sessions.filter(({ id }) => ids.includes(id)).reduce((total, each) => total + each[name], 0)
  const of = (kind: string) => events.filter((event) => event.kind === kind)
  const requests = of('resource').filter(({ endpoint }) => endpoint !== '')
  const views = of('view').sort(byPageClock(({ view }) => view))
  const agreed = (name: string, counted: number, stored: number) => {
    if (counted !== stored)
      throw new Error(`visit ${visit}: ${counted} ${name} are stored, the session has ${stored}`)
    return stored
  }
  agreed('views', views.length, sum('views'))
  agreed('requests', requests.length, sum('requests'))
  agreed('errors', of('error').length, sum('errors'))
  return {
    sessions: ids.length,
    pages: views.map(({ name, page }) => (name === 'load' ? `*${page}` : page)),
    actions: sum('actions'),
    requests: tally(requests.map(({ endpoint, status }) => `${endpoint} ${status}`)),
    failedRequests: sum('failedRequests'),
    failedFiles: of('resource').filter(
      ({ endpoint, failed, target }) => endpoint === '' && failed && target.includes('/files/'),
    ).length,
    errors: tally(of('error').map(({ errorMessage }) => errorMessage)),
    unhandledErrors: sum('unhandledErrors'),
    exposures: tally(
      of('exposure').map(({ name, flags }) => flags.find((flag) => flag.startsWith(`${name}=`)) ?? name),
    ),
    // The client reports that its recorder stopped on a page that was too slow for it.
    customs: of('custom').filter(({ attributes }) => attributes.message !== recorderStopped).length,
  }
}
