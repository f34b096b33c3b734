// What failed in a session, as far as a test can assert it.

import { vitalNames } from '../../contract/events.ts'
import { rateVital, type VitalName } from '../vitals.ts'

/** An event of the session. */
export interface SessionEvent {
  readonly kind: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly name: string
  readonly value: number
  readonly errorType: string
  readonly errorMessage: string
  readonly isHandled: boolean
  readonly method: string
  readonly url: string
  /** The selector of the element of an action. */
  readonly target: string
  /** 0: no response. */
  readonly status: number
  readonly isFailed: boolean
  readonly frustration: readonly string[]
  readonly blocking: number
}

export type Failure = {
  readonly at: number
} /** Without being caught, or caught and reported by the application. */ & (
  | { readonly kind: 'error'; readonly type: string; readonly message: string; readonly isHandled: boolean }
  | { readonly kind: 'request'; readonly method: string; readonly url: string; readonly status: number }
  /** A click without an effect. */
  | { readonly kind: 'click'; readonly isRage: boolean; readonly selector: string }
)

export interface Failures {
  readonly asserted: readonly Failure[]
  /** Sentences about what is not. */
  readonly notAsserted: readonly string[]
}

interface FailureOptions {
  /** Of the site, such as `https://shop.example`. */
  origin: string
  /** Whether the application's own reports can be seen in a browser: Telltale's SDK sent the session. */
  seesReports: boolean
}

/** A frame this slow is worth a sentence. */
const slowFrame = 200

export function findFailures(events: readonly SessionEvent[], options: FailureOptions): Failures {
  const asserted = new Map<string, Failure>()
  const notes = new Map<string, number>()
  const note = (sentence: string) => notes.set(sentence, (notes.get(sentence) ?? 0) + 1)
  const assert = (key: string, failure: Failure) => {
    if (failure.kind === 'click' || !asserted.has(key)) asserted.set(key, failure)
  }
  for (const event of events) {
    const failure = failureOf(event, options, note)
    if (failure !== undefined) assert(keyOf(failure), failure)
  }
  return {
    asserted: [...asserted.values()],
    notAsserted: [...notes].map(([sentence, count]) =>
      count > 1 ? `${sentence} (${count} times)` : sentence,
    ),
  }
}

function failureOf(
  event: SessionEvent,
  { origin, seesReports }: FailureOptions,
  note: (sentence: string) => void,
): Failure | undefined {
  const { kind, at } = event
  if (kind === 'error') {
    const { errorType: type, errorMessage: message, isHandled } = event
    if (!isHandled || seesReports) return { kind: 'error', at, type, message, isHandled }
    note(
      'An error that the application caught and reported is not asserted, because the page does not show it.',
    )
  }
  if (kind === 'resource' && event.isFailed) {
    const { method, url, status } = event
    if (status > 0 || originOf(url) === origin)
      return { kind: 'request', at, method: method || 'GET', url, status }
    note(
      'A request to another site without a response is not asserted, because extensions and networks block them.',
    )
  }
  if (kind === 'action') {
    const { frustration, target } = event
    if (frustration.includes('dead'))
      return { kind: 'click', at, isRage: frustration.includes('rage'), selector: target }
    if (frustration.includes('rage'))
      note(
        'Rage clicks to which the page responded are not asserted, because only the user knows what was missing.',
      )
  }
  if (kind === 'long_frame' && event.blocking >= slowFrame)
    note('Slow frames are not asserted, because their duration depends on the machine.')
  if (kind === 'vital' && isVital(event.name) && rateVital(event.name, event.value) === 'poor')
    note(`A poor ${event.name} is not asserted, because it depends on the machine and the network.`)
  return undefined
}

/** One assertion for errors and requests that repeat. Clicks are asserted one by one. */
function keyOf(failure: Failure): string {
  if (failure.kind === 'error') return `error ${failure.isHandled} ${failure.type} ${failure.message}`
  if (failure.kind === 'request') return `request ${failure.method} ${pathOf(failure.url)} ${failure.status}`
  return `click ${failure.at}`
}

const vitals: ReadonlySet<string> = new Set(vitalNames)
const isVital = (name: string): name is VitalName => vitals.has(name)

export const originOf = (url: string): string => /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i.exec(url)?.[0] ?? ''
/** With its slash, and without query and fragment. */
export const pathOf = (url: string): string => url.slice(originOf(url).length).split(/[?#]/, 1)[0] || '/'
