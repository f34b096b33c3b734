// The requests of a session as an HTTP archive (HAR 1.2): from its events, with the headers and bodies that its replay
// contains.

import type { RecordedMessage, RecordedRequest } from './replay/operations.ts'

export interface HarView {
  id: string
  title: string
  /** Milliseconds since 1970, like all times here. */
  at: number
}

export interface HarResource {
  view: string
  at: number
  type: string
  method: string
  url: string
  status: number
  duration: number
  size: number
}

export type HarDetail = Omit<RecordedRequest, 'duration'> & { startedAt: number; duration: number }

export interface HarSource {
  views: readonly HarView[]
  resources: readonly HarResource[]
  details: readonly HarDetail[]
  version: string
}

/** The event and the recorded details of a request begin at the same time, give or take. */
const sameTime = 1_000
const instant = (at: number) => new Date(at).toISOString()
const noMessage: RecordedMessage = { headers: [], body: { state: 'none', size: 0, mime: '', text: '' } }

export function writeHar({ views, resources, details, version }: HarSource): object {
  const open = new Set(details)
  const ofEvents = resources.map((resource) => {
    const detail = detailOf(resource, open)
    if (detail) open.delete(detail)
    return { at: resource.at, entry: entryOf(resource, detail) }
  })
  const rest = [...open].map((detail) => ({
    at: detail.startedAt,
    entry: entryOf(
      {
        view: viewAt(views, detail.startedAt),
        at: detail.startedAt,
        type: detail.kind,
        size: 0,
        method: detail.method,
        url: detail.address,
        status: detail.status,
        duration: detail.duration,
      },
      detail,
    ),
  }))
  const entries = [...ofEvents, ...rest].sort((one, other) => one.at - other.at)
  return {
    log: {
      version: '1.2',
      creator: { name: 'Telltale', version },
      pages: views.map(({ id, title, at }) => ({
        startedDateTime: instant(at),
        id,
        title,
        pageTimings: { onContentLoad: -1, onLoad: -1 },
      })),
      entries: entries.map(({ entry }) => entry),
      comment:
        'Query values, cookies and credentials are never recorded. Headers and bodies are there where a request rule of the environment allows them.',
    },
  }
}

function detailOf({ at, method, url }: HarResource, open: ReadonlySet<HarDetail>): HarDetail | undefined {
  const distance = ({ startedAt }: HarDetail) => Math.abs(startedAt - at)
  let best: HarDetail | undefined
  for (const detail of open) {
    if (detail.method !== method || bare(detail.address) !== bare(url) || distance(detail) > sameTime)
      continue
    if (best === undefined || distance(detail) < distance(best)) best = detail
  }
  return best
}

const bare = (address: string) => address.split(/[?#]/, 1)[0]

const viewAt = (views: readonly HarView[], at: number) => views.findLast((view) => view.at <= at)?.id ?? ''

function entryOf(resource: HarResource, detail: HarDetail | undefined): object {
  const { view, at, type, method, url, status, duration, size } = resource
  const { request, response } = detail ?? { request: noMessage, response: noMessage }
  const time = Math.max(0, duration)
  return {
    ...(view === '' ? {} : { pageref: view }),
    startedDateTime: instant(at),
    time,
    request: {
      method: method || 'GET',
      url,
      httpVersion: '',
      cookies: [],
      headers: headersOf(request),
      queryString: parameterNames(detail?.address ?? url),
      ...postDataOf(request),
      headersSize: -1,
      bodySize: request.body.state === 'none' && detail ? 0 : sizeOf(request),
    },
    response: {
      status,
      statusText: '',
      httpVersion: '',
      cookies: [],
      headers: headersOf(response),
      content: contentOf(response, size),
      redirectURL: '',
      headersSize: -1,
      bodySize: size > 0 ? size : sizeOf(response),
    },
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    _resourceType: type,
  }
}

const headersOf = ({ headers }: RecordedMessage) => headers.map(([name, value]) => ({ name, value }))
const sizeOf = ({ body }: RecordedMessage) => (body.size > 0 ? body.size : -1)
const isShown = ({ body }: RecordedMessage) => body.state === 'text' || body.state === 'cut'

function postDataOf(message: RecordedMessage): object {
  const { state, mime, text } = message.body
  if (state === 'none') return {}
  const comment = isShown(message) ? commentOf(state) : { comment: `Not recorded: ${state}` }
  return { postData: { mimeType: mime, params: [], text, ...comment } }
}

function contentOf(message: RecordedMessage, size: number): object {
  const { state, mime, text } = message.body
  return {
    size: Math.max(0, message.body.size, size),
    mimeType: mime,
    ...(isShown(message) ? { text, ...commentOf(state) } : {}),
  }
}

const commentOf = (state: string) => (state === 'cut' ? { comment: 'Only the beginning is recorded.' } : {})

/** Only names are recorded. */
function parameterNames(address: string): object[] {
  const [, query = ''] = address.split('#', 1)[0]?.split('?') ?? []
  return query
    .split('&')
    .filter((name) => name !== '')
    .map((pair) => ({ name: pair.split('=', 1)[0] ?? '', value: '' }))
}
