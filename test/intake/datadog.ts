// The Datadog client as it was recorded: two runs of the real one, sent again to a server of ours.

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
      ...{ method, path: `/api/v2/${track}`, track },
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
  const asked = new URLSearchParams({ ...Object.fromEntries(parameters), ...others })
  if (asked.has('dd-api-key')) asked.set('dd-api-key', key)
  const forward = `${path}?${asked}`
  const address = form === 'text' ? `?ddforward=${encodeURIComponent(forward)}` : forward
  const credential = headers['dd-client-token'] === undefined ? {} : { 'dd-client-token': key }
  return fetch(`${url}/intake/datadog${address}`, {
    method,
    headers: { ...headers, ...credential },
    ...(body && { body: new Uint8Array(body) }),
  })
}
