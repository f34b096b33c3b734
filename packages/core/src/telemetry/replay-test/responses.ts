// Which recorded responses a test serves instead of the server: those that were kept whole, and only where it is
// certain which request they answer.

import type { RecordedBody } from '../replay/operations.ts'
import { originOf, pathOf } from './failures.ts'

export interface RequestDetail {
  readonly method: string
  /** With the names of its parameters, without their values. */
  readonly address: string
  readonly status: number
  readonly startedAt: number
  readonly sent: RecordedBody
  readonly received: RecordedBody
}

export interface ServedResponse {
  readonly method: string
  readonly url: string
  /** Names of its parameters, sorted. */
  readonly parameters: readonly string[]
  /** Of the request; undefined: it had none. */
  readonly body: string | undefined
  readonly status: number
  readonly mime: string
  readonly text: string
}

export interface Responses {
  readonly served: readonly ServedResponse[]
  /** Requests that go to the server because their responses were not kept whole, by method and path. */
  readonly notKept: readonly string[]
  /** Their responses differ, and what distinguishes the requests was not recorded. */
  readonly unclear: readonly string[]
}

/** Of all bodies together: the script stays readable. */
const charactersAtMost = 200_000

export function findResponses(details: readonly RequestDetail[]): Responses {
  const groups = new Map<string, RequestDetail[]>()
  for (const detail of details) {
    const key = JSON.stringify([detail.method, bare(detail.address), parametersOf(detail.address)])
    const same = groups.get(key)
    if (same) same.push(detail)
    else groups.set(key, [detail])
  }
  const served: ServedResponse[] = []
  const notKept: string[] = []
  const unclear: string[] = []
  let characters = 0
  for (const group of groups.values()) {
    const [first] = group
    if (first === undefined || group.some(({ status }) => status === 0 || status >= 400)) continue
    const name = `${first.method} ${pathOf(first.address)}`
    const whole = group.filter(isWhole)
    const distinct = [...new Map(whole.map((each) => [each.sent.text, each])).values()]
    const isCertain = distinct.every((each) =>
      whole.every(
        (other) => other.sent.text !== each.sent.text || other.received.text === each.received.text,
      ),
    )
    const size = distinct.reduce((sum, { received }) => sum + received.text.length, 0)
    if (whole.length < group.length || characters + size > charactersAtMost) notKept.push(name)
    else if (!isCertain) unclear.push(name)
    else {
      characters += size
      served.push(...distinct.map(toServed))
    }
  }
  return { served, notKept: [...new Set(notKept)], unclear: [...new Set(unclear)] }
}

const toServed = ({ method, address, status, sent, received }: RequestDetail): ServedResponse => ({
  method,
  url: bare(address),
  parameters: parametersOf(address),
  body: sent.state === 'none' ? undefined : sent.text,
  status,
  mime: received.mime,
  text: received.text,
})

/** A rule may allow only some fields of a body, and secrets are removed: then its size differs. */
function isWhole({ sent, received }: RequestDetail): boolean {
  const isKept = ({ state, size, text }: RecordedBody) =>
    state === 'none' || (state === 'text' && (size === bytesOf(text) || size === text.length))
  return isKept(sent) && isKept(received)
}

const encoder = new TextEncoder()
const bytesOf = (text: string) => encoder.encode(text).length

const bare = (address: string) => originOf(address) + pathOf(address)

function parametersOf(address: string): string[] {
  const [, query = ''] = address.split('#', 1)[0]?.split('?') ?? []
  const names = query.split('&').flatMap((pair) => pair.split('=', 1)[0] || [])
  return [...new Set(names)].sort()
}
