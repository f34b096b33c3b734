// The Datadog client as it was recorded: two runs of the real one, sent again to a server of ours.

import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const runs = { plain: 'run-a-string-proxy', deflated: 'run-b-function-proxy-deflate' } as const

export interface Recorded {
  method: string
  track: string
  /** What the client wanted it to be forwarded to. */
  path: string
  parameters: URLSearchParams
  headers: Record<string, string>
  body: Buffer | undefined
}

interface RecordedFile {
  method: string
  forwarded: { path: string; query: Record<string, string> }
  headers: Record<string, string>
  bodyEncoding: 'utf8' | 'base64' | 'none'
  body?: string
}

const folder = join(import.meta.dirname, '../contracts/datadog-rum')
const kept = new Set([
  'content-type',
  'user-agent',
  'origin',
  'dd-client-token',
  'sec-ch-ua',
  'sec-ch-ua-platform',
])

export function readRun(run: keyof typeof runs): Recorded[] {
  const path = join(folder, runs[run])
  const names = readdirSync(path).filter((name) => /^\d/.test(name))
  return names.sort().map((name) => {
    const file: RecordedFile = JSON.parse(readFileSync(join(path, name), 'utf8'))
    const { method, forwarded, headers, bodyEncoding, body } = file
    const track = forwarded.path.replace(/^.*\/api\/v2\//, '')
    return {
      method,
      path: `/api/v2/${track}`,
      track,
      parameters: new URLSearchParams(forwarded.query),
      headers: Object.fromEntries(Object.entries(headers).filter(([header]) => kept.has(header))),
      body: bodyEncoding === 'none' || body === undefined ? undefined : Buffer.from(body, bodyEncoding),
    }
  })
}

export function readExpected(run: keyof typeof runs) {
  return JSON.parse(readFileSync(join(folder, runs[run], 'expected.json'), 'utf8'))
}

export interface Sending {
  url: string
  key: string
  /** `text`: all of it in `ddforward`. `function`: the path itself. */
  form?: 'text' | 'function'
  parameters?: Record<string, string>
}

export async function sendRecorded(
  { method, path, parameters, headers, body }: Recorded,
  { url, key, form = 'text', parameters: others = {} }: Sending,
): Promise<Response> {
  const requested = new URLSearchParams({ ...Object.fromEntries(parameters), ...others })
  if (requested.has('dd-api-key')) requested.set('dd-api-key', key)
  const forward = `${path}?${requested}`
  const address = form === 'text' ? `?ddforward=${encodeURIComponent(forward)}` : forward
  const credential = headers['dd-client-token'] === undefined ? {} : { 'dd-client-token': key }
  return fetch(`${url}/intake/datadog${address}`, {
    method,
    headers: { ...headers, ...credential },
    ...(body && { body: new Uint8Array(body) }),
  })
}

type Raw = Record<string, unknown>

/** One event as the client writes it; members of `more` are laid over it. */
export function rumEvent(type: string, own: Raw = {}, { view = {}, _dd = {}, ...more }: Raw = {}): Raw {
  const session = String(Object(more.session).id ?? '11111111-0000-4000-8000-000000000001')
  return {
    type,
    date: Date.now(),
    source: 'browser',
    service: 'web',
    version: '1.2.3',
    application: { id: 'harbour' },
    session: { id: session, type: 'user' },
    view: {
      id: session.replace(/^.{8}/, '22222222'),
      url: 'https://shop.example/orders/8121?token=1',
      referrer: '',
      ...Object(view),
    },
    tab: { id: '33333333-0000-4000-8000-000000000001' },
    usr: { anonymous_id: 'browser-1' },
    _dd: { format_version: 2, ...Object(_dd) },
    ...(type.startsWith('view') ? {} : { [type]: { id: randomUUID(), ...own } }),
    ...more,
  }
}

/** A whole view, or what changed of it. */
export function rumView(version: number, view: Raw, more: Raw = {}): Raw {
  return rumEvent('view', {}, { ...more, view, _dd: { document_version: version } })
}

export const rumLines = (events: readonly unknown[]) =>
  events.map((event) => (typeof event === 'string' ? event : JSON.stringify(event))).join('\n')

/** As the client sends a batch. */
export async function sendRum(
  body: string | Uint8Array,
  {
    url,
    key,
    parameters = {},
    headers = {},
  }: Pick<Sending, 'url' | 'key' | 'parameters'> & { headers?: Record<string, string> },
): Promise<Response> {
  const requested = new URLSearchParams({
    ddsource: 'browser',
    'dd-api-key': key,
    'dd-request-id': randomUUID(),
    batch_time: String(Date.now()),
    ...parameters,
  })
  const forward = encodeURIComponent(`/api/v2/rum?${requested}`)
  return fetch(`${url}/intake/datadog?ddforward=${forward}`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain;charset=UTF-8', origin: 'https://shop.example', ...headers },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  })
}
