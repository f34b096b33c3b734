// Entries of the lists Console and Network: events of the session, joined with what its replay contains.

import type { ReplayDetail } from '../../../api/replays.ts'
import { bytesText, countOf, durationText } from '../../../ui/text/measure-text.ts'
import type { SessionSearch } from '../sessions-search.ts'
import type { ListedMoment, Moment } from '../timeline/moments.ts'

export interface DetailEntry extends ListedMoment {
  /** The event, if there is one. */
  readonly moment: Moment | undefined
  readonly detail: ReplayDetail | undefined
}

/** The event and the recorded details of a request begin at the same time, give or take. */
const sameTime = 1_000
/** An error that the page logs is an event too. */
const sameError = 500

export function consoleEntries(
  moments: readonly Moment[],
  details: readonly ReplayDetail[],
  sessionStart: number,
): DetailEntry[] {
  const messages = details.flatMap((detail, index) => messageEntry(detail, { index, sessionStart }) ?? [])
  const isLogged = ({ event, at }: Moment) =>
    event.name === 'console' &&
    messages.some(({ detail, at: loggedAt }) => {
      return detail?.message?.level === 'error' && Math.abs(loggedAt - at) <= sameError
    })
  const errors = moments.filter((moment) => moment.kind === 'error' && !isLogged(moment)).map(entryOf)
  return inOrder([...errors, ...messages])
}

export function networkEntries(
  moments: readonly Moment[],
  details: readonly ReplayDetail[],
  sessionStart: number,
): DetailEntry[] {
  const open = new Map<string, [number, ReplayDetail][]>()
  const left: DetailEntry[] = []
  details.forEach((detail, index) => {
    const { request } = detail
    if (request === null) {
      const entry = leftEntry(detail, { index, sessionStart })
      if (entry !== undefined && detail.left?.of === 'requests') left.push(entry)
      return
    }
    const key = `${request.method} ${bare(request.url)}`
    open.set(key, [...(open.get(key) ?? []), [index, detail]])
  })
  const requests = moments.filter(({ kind }) => kind === 'request' || kind === 'file')
  const entries = requests.map((moment): DetailEntry => {
    const waiting = open.get(`${moment.event.method} ${bare(moment.event.target)}`) ?? []
    const found = nearest(waiting, Date.parse(moment.event.at))
    if (found === undefined) return entryOf(moment)
    waiting.splice(waiting.indexOf(found), 1)
    return { ...entryOf(moment), detail: found[1] }
  })
  const rest = [...open.values()].flatMap((waiting) =>
    waiting.map(([index, detail]) => requestEntry(detail, { index, sessionStart })),
  )
  return inOrder([...entries, ...rest, ...left])
}

const levels = ['debug', 'trace', 'log', 'info', 'warn', 'error']
const least = { info: 2, warn: 4, error: 5 }

/** Those that the search of the panel asks for. */
export function findEntries(
  entries: readonly DetailEntry[],
  { find = '', level, requests }: Pick<SessionSearch, 'find' | 'level' | 'requests'>,
): DetailEntry[] {
  const words = find.toLowerCase()
  return entries.filter((entry) => {
    if (level !== undefined && severityOf(entry) < least[level]) return false
    if (requests === 'data' && entry.kind !== 'request') return false
    if (requests === 'failed' && entry.tone !== 'bad') return false
    if (requests === 'details' && entry.detail?.request == null) return false
    return words === '' || textOf(entry).toLowerCase().includes(words)
  })
}

const severityOf = ({ detail }: DetailEntry) =>
  detail?.message ? levels.indexOf(detail.message.level) : levels.length

const textOf = ({ title, note, detail }: DetailEntry) => {
  const bodies = [detail?.request?.request.body.text, detail?.request?.response.body.text]
  return [title, note, detail?.request?.url, ...(detail?.message?.args ?? []), ...bodies].join('\n')
}

interface Place {
  index: number
  sessionStart: number
}

function messageEntry(detail: ReplayDetail, place: Place): DetailEntry | undefined {
  const { message } = detail
  if (message === null) return detail.left?.of === 'console' ? leftEntry(detail, place) : undefined
  const isBad = message.level === 'error'
  return {
    ...placeOf(detail, place),
    kind: isBad ? 'error' : 'custom',
    title: message.text || '(empty)',
    note: message.level,
    tone: isBad ? 'bad' : message.level === 'warn' ? 'warn' : 'plain',
  }
}

function leftEntry(detail: ReplayDetail, place: Place): DetailEntry | undefined {
  if (detail.left === null) return undefined
  const what = detail.left.of === 'console' ? 'message' : 'request'
  return {
    ...placeOf(detail, place),
    kind: 'custom',
    title: `${countOf(detail.left.count, what)} left out`,
    note: 'Too many at once',
    tone: 'warn',
  }
}

function requestEntry(detail: ReplayDetail, place: Place): DetailEntry {
  const { method = '', url = '', status = 0, duration = 0, response } = detail.request ?? {}
  const size = response?.body.size ?? 0
  const { host, pathname } = URL.canParse(url) ? new URL(url) : { host: '', pathname: url }
  const at = Date.parse(detail.request?.startedAt ?? detail.at) - place.sessionStart
  return {
    ...placeOf(detail, place),
    at: Math.max(0, at),
    kind: 'request',
    title: `${method} ${pathname} ${status === 0 ? 'failed' : status}`,
    note: [durationText(duration), size > 0 ? bytesText(size) : '', host].filter(Boolean).join(', '),
    tone: status === 0 || status >= 400 ? 'bad' : 'plain',
  }
}

function placeOf(detail: ReplayDetail, { index, sessionStart }: Place) {
  const at = Math.max(0, Date.parse(detail.at) - sessionStart)
  return { event: { id: `detail-${index}` }, at, detail, moment: undefined }
}

function entryOf(moment: Moment): DetailEntry {
  const { event, kind, at, title, note, tone } = moment
  return { event, kind, at, title, note, tone, moment, detail: undefined }
}

const inOrder = (entries: DetailEntry[]) => entries.sort((one, other) => one.at - other.at)
const bare = (address: string) => address.split(/[?#]/, 1)[0]

function nearest(waiting: readonly [number, ReplayDetail][], at: number) {
  const distance = ([, { request }]: [number, ReplayDetail]) =>
    Math.abs(Date.parse(request?.startedAt ?? '') - at)
  const [best] = waiting.toSorted((one, other) => distance(one) - distance(other))
  return best !== undefined && distance(best) <= sameTime ? best : undefined
}
