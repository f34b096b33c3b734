// What replays contain of a body: the fields that the environment allows, without secrets, as text and bounded. Other
// bodies have only their size and type.

import type { bodyStates } from '@telltale/core/telemetry/replay/codes'
import { isSecretName, scrubSecrets } from '@telltale/core/telemetry/secrets'
import { cleanJson, cleanPart, hideValue, type Named } from './clean-value.ts'

export interface RecordedBody {
  state: (typeof bodyStates)[number]
  /** Of the whole body, in bytes or characters; 0: unknown. */
  size: number
  mime: string
  text: string
}

export interface Allowed {
  /** Lower case. */
  headers: readonly string[]
  fields: readonly string[]
  named: Named
}

export const emptyBody: RecordedBody = { state: 'none', size: 0, mime: '', text: '' }
/** Of what is recorded. */
const longest = 16_384
/** Of what is read of a body, to find its fields. */
export const readAtMost = 131_072
const textual = /json|^text\/(?!event-stream)|xml|javascript|graphql|x-www-form-urlencoded/i

/** Whether the content may be read at all. Endless ones are not. */
export const isTextual = (mime: string): boolean =>
  textual.test(mime) && !/ndjson|json-?seq|stream/i.test(mime)

export const shortMime = (type: string | null | undefined): string =>
  (type ?? '').split(';', 1)[0]?.trim().toLowerCase().slice(0, 100) ?? ''

interface GivenBody {
  text: string
  size: number
  mime: string
  /** `text` is its beginning. */
  isCut?: boolean
}

/** A body that was read. */
export function selectBody({ text, size, mime, isCut = false }: GivenBody, allowed: Allowed): RecordedBody {
  const about = { size, mime }
  if (text === '' && size === 0) return { ...emptyBody, mime }
  if (allowed.fields.length === 0) return { ...about, state: 'not-allowed', text: '' }
  const isWhole = allowed.fields.includes('*')
  const found = isCut ? undefined : (selectJson(text, allowed) ?? selectForm(text, mime, allowed))
  if (found === undefined && !isWhole)
    return { ...about, state: isCut ? 'too-large' : 'not-allowed', text: '' }
  const clean = found ?? cleanPart(text, longest, allowed.named)
  const isShortened = clean.length > longest || (found === undefined && (isCut || text.length > longest))
  return { ...about, state: isShortened ? 'cut' : 'text', text: clean.slice(0, longest) }
}

/** The body of a request, as it was given to `fetch` or `send`. */
export function selectGiven(body: unknown, type: string, allowed: Allowed): RecordedBody {
  if (body === null || body === undefined) return emptyBody
  if (typeof body === 'string') {
    const text = body.slice(0, readAtMost)
    return selectBody({ text, size: body.length, mime: type, isCut: body.length > readAtMost }, allowed)
  }
  if (body instanceof URLSearchParams) {
    const text = String(body)
    return selectBody({ text, size: text.length, mime: 'application/x-www-form-urlencoded' }, allowed)
  }
  if (body instanceof FormData) {
    const entries = [...FormData.prototype.entries.call(body)].map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : `(file, ${value.size} bytes)`,
    ])
    const text = formText(entries, allowed)
    const about = { size: 0, mime: 'multipart/form-data' }
    if (text === undefined) return { ...about, state: 'not-allowed', text: '' }
    return { ...about, state: text.length > longest ? 'cut' : 'text', text: text.slice(0, longest) }
  }
  if (body instanceof Blob) return { state: 'binary', size: body.size, mime: shortMime(body.type), text: '' }
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body))
    return { state: 'binary', size: body.byteLength, mime: type, text: '' }
  return { state: 'unread', size: 0, mime: type, text: '' }
}

/** Undefined: it is no JSON. */
function selectJson(text: string, { fields, named }: Allowed): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    const picked = fields.includes('*')
      ? value
      : pick(
          value,
          fields.map((path) => path.split('.')),
        )
    return JSON.stringify(cleanJson(picked, named))
  } catch {
    return undefined
  }
}

/** The members that are listed, with all that is in them; of the items of lists too. */
function pick(value: unknown, paths: readonly (readonly string[])[]): unknown {
  if (Array.isArray(value)) return value.map((item) => pick(item, paths) ?? null)
  if (typeof value !== 'object' || value === null) return undefined
  const picked: [string, unknown][] = []
  for (const [name, member] of Object.entries(value)) {
    const rests = paths.filter(([first]) => first === name).map((path) => path.slice(1))
    if (rests.length === 0) continue
    const found = rests.some((rest) => rest.length === 0) ? member : pick(member, rests)
    if (found !== undefined) picked.push([name, found])
  }
  return Object.fromEntries(picked)
}

function selectForm(text: string, mime: string, allowed: Allowed): string | undefined {
  return mime === 'application/x-www-form-urlencoded'
    ? formText([...new URLSearchParams(text).entries()], allowed)
    : undefined
}

/** One field per line. Undefined: none is allowed. */
function formText(entries: readonly [string, string][], { fields, named }: Allowed): string | undefined {
  const shown = entries.filter(([name]) => fields.includes('*') || fields.includes(name))
  if (shown.length === 0) return undefined
  return shown
    .map(([name, value]) => {
      const clean = isSecretName(name, named) ? hideValue(value) : scrubSecrets(value, named)
      return `${scrubSecrets(name, named)}=${clean}`
    })
    .join('\n')
}
