// The API calls for uploading source maps. Retries network errors and busy servers; fails at once on errors that a
// retry cannot fix.

import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { limits } from '@telltale/core/limits'

export interface Place {
  /** Without a trailing slash. */
  url: string
  project: string
  token: string
}

export interface KnownMap {
  version: string
  file: string
  hash: string
}

interface NewMap {
  version: string
  file: string
  debugId: string | undefined
  content: Uint8Array
}

/** Reported to the user; the text includes what to do. */
export class Refused extends Error {}

const deflate = promisify(gzip)
const second = 1_000
const answerTimeout = 120 * second
const attempts = 6
const firstPause = second
const longestPause = 30 * second
const pagesRead = 100

/** Every map that the server has for a version. */
export async function listMaps(place: Place, version: string): Promise<KnownMap[]> {
  const found: KnownMap[] = []
  let cursor: string | undefined
  for (let page = 0; page < pagesRead; page++) {
    const query = new URLSearchParams({
      limit: String(limits.pageSizeMaximum),
      ...(version !== '' && { version }),
      ...(cursor !== undefined && { cursor }),
    })
    const { items, next } = readList(await send(place, query, { method: 'GET' }))
    found.push(...items.filter((item) => item.version === version))
    if (next === undefined) return found
    cursor = next
  }
  return found
}

export async function putMap(place: Place, { version, file, debugId, content }: NewMap): Promise<void> {
  const body = await deflate(content)
  if (body.byteLength > limits.sourceMapSize) {
    throw new Refused(`it is larger than ${limits.sourceMapSize / 2 ** 20} MiB, compressed`)
  }
  const query = new URLSearchParams({ file, ...(version !== '' && { version }), ...(debugId && { debugId }) })
  const headers = { 'content-type': 'application/octet-stream' }
  await send(place, query, { method: 'PUT', body: new Uint8Array(body), headers })
}

async function send(place: Place, query: URLSearchParams, init: RequestInit): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    const failure = await tryOnce(place, query, init)
    if ('answer' in failure) return failure.answer
    if (attempt === attempts) throw new Refused(`${failure.reason}, ${attempts} times`)
    const wait = Math.max(failure.retryAfter, firstPause * 2 ** (attempt - 1) * (0.5 + Math.random()))
    await pause(Math.min(longestPause, wait))
  }
}

/** Returns the response, or the reason to retry; throws `Refused` when a retry cannot help. */
async function tryOnce(
  { url, project, token }: Place,
  query: URLSearchParams,
  init: RequestInit,
): Promise<{ answer: unknown } | { reason: string; retryAfter: number }> {
  const address = `${url}/api/v1/projects/${encodeURIComponent(project)}/source-maps?${query}`
  const headers = { ...init.headers, authorization: `Bearer ${token}`, accept: 'application/json' }
  let response: Response
  let text: string
  try {
    response = await fetch(address, { ...init, headers, signal: AbortSignal.timeout(answerTimeout) })
    text = await response.text()
  } catch (error) {
    return { reason: `${url} does not answer (${reasonOf(error)})`, retryAfter: 0 }
  }
  const { status } = response
  if (status === 429 || status >= 500) {
    const seconds = Number(response.headers.get('retry-after'))
    const retryAfter = Number.isFinite(seconds) ? seconds * second : 0
    return { reason: `${url} answered with ${status}`, retryAfter }
  }
  const answer = parse(text)
  if (answer === undefined)
    throw new Refused(`${url} answered with ${status}, but it is not a Telltale server`)
  if (!response.ok) throw new Refused(explain(status, answer, project))
  return { answer }
}

function explain(status: number, answer: object, project: string): string {
  const reason = 'detail' in answer ? String(answer.detail) : 'title' in answer ? String(answer.title) : ''
  if (status === 401) return 'the server does not know this token, or it is no longer valid'
  if (status === 403) return 'this token may not upload source maps: it needs the role editor in the project'
  if (status === 404) return `this token has no access to a project "${project}"`
  return `the server refuses it with ${status}: ${reason}`
}

function readList(answer: unknown): { items: KnownMap[]; next: string | undefined } {
  const isList = typeof answer === 'object' && answer !== null && 'items' in answer
  if (!isList || !Array.isArray(answer.items)) throw new Refused('the server gives no list of source maps')
  const items = answer.items.flatMap((item: unknown): KnownMap[] => {
    if (typeof item !== 'object' || item === null) return []
    const { version, file, hash }: Partial<Record<keyof KnownMap, unknown>> = item
    return [{ version: String(version), file: String(file), hash: String(hash) }]
  })
  return { items, next: 'next' in answer && typeof answer.next === 'string' ? answer.next : undefined }
}

function parse(text: string): object | undefined {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null ? read : undefined
  } catch {
    // An HTML page, reported to the user as such.
    return undefined
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message
}
