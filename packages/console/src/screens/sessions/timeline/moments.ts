// The events of a session as its list and lanes show them: one moment per event, in words.

import { rateVital, type VitalName, vitalBoundaries } from '@telltale/core/telemetry/vitals'
import type { TimelineEvent } from '../../../api/sessions.ts'
import { durationText, vitalText } from '../../../ui/text/measure-text.ts'
import { isMomentKind, type MomentKind } from './moment-kinds.ts'

export interface Moment {
  readonly event: TimelineEvent
  readonly kind: MomentKind
  /** Milliseconds since the session started. */
  readonly at: number
  readonly title: string
  readonly note: string
  readonly tone: 'plain' | 'warn' | 'bad'
  /** The targets of `n`: errors, failed requests, rage and dead clicks. */
  readonly isTrouble: boolean
}

/** What a list of the panel shows of an entry. */
export type ListedMoment = Pick<Moment, 'kind' | 'at' | 'title' | 'note' | 'tone'> & {
  readonly event: Pick<TimelineEvent, 'id'>
}

export function toMoments(events: readonly TimelineEvent[], startedAt: string): Moment[] {
  const start = Date.parse(startedAt)
  return events.map((event) => {
    const kind = kindOf(event)
    const isTrouble = event.kind === 'error' || event.failed || event.frustration.length > 0
    return {
      event,
      kind,
      at: Math.max(0, Date.parse(event.at) - start),
      ...wordsOf(event),
      isTrouble,
      tone: isTrouble ? 'bad' : toneOf(event),
    }
  })
}

function kindOf({ kind, resourceType }: TimelineEvent): MomentKind {
  switch (kind) {
    case 'view':
      return 'page'
    case 'resource':
      return resourceType === 'fetch' || resourceType === 'xhr' ? 'request' : 'file'
    case 'long_frame':
      return 'slow'
    case 'exposure':
      return 'flag'
    default:
      return isMomentKind(kind) ? kind : 'custom'
  }
}

const frustrationWords: Readonly<Record<string, string>> = {
  rage: 'rage click',
  dead: 'dead click, nothing changed',
  error: 'error click',
}

function wordsOf(event: TimelineEvent): { title: string; note: string } {
  switch (event.kind) {
    case 'view':
      return { title: event.page || event.url, note: event.name === 'load' ? '' : viewWords(event.name) }
    case 'action':
      return {
        title: event.name || event.target || 'Click',
        note: event.frustration.map((one) => frustrationWords[one] ?? one).join(', '),
      }
    case 'resource':
      return { title: requestText(event), note: join(event.host, durationText(event.duration)) }
    case 'error':
      return {
        title: `${event.errorType || 'Error'}: ${event.errorMessage}`,
        note: event.handled ? 'handled' : '',
      }
    case 'vital':
      return {
        title: join(
          event.name,
          isVital(event.name) ? vitalText(event.name, event.value) : String(event.value),
        ),
        note: event.target,
      }
    case 'long_frame':
      return {
        title: `Long frame ${durationText(event.duration)}`,
        note: `blocking ${durationText(event.blocking)}`,
      }
    case 'exposure':
      return { title: variationRead(event), note: '' }
    default:
      return { title: event.name || event.kind, note: event.value === 1 ? '' : String(event.value) }
  }
}

function viewWords(beginning: string): string {
  return beginning === '' || beginning === 'route' ? '' : beginning
}

function requestText({ method, endpoint, target, status, failed, resourceType }: TimelineEvent): string {
  const outcome = status === 0 ? (failed ? 'failed' : '') : String(status)
  return join(method || resourceType, endpoint || pathOf(target), outcome)
}

/** Without the host, which is below. */
function pathOf(address: string): string {
  return URL.canParse(address) ? new URL(address).pathname : address
}

const variationRead = ({ name, flags }: TimelineEvent) =>
  (flags.find((read) => read.startsWith(`${name}=`)) ?? name).replace('=', ' = ')

function toneOf({ kind, name, value }: TimelineEvent): Moment['tone'] {
  if (kind === 'long_frame') return 'warn'
  if (kind !== 'vital' || !isVital(name)) return 'plain'
  const rating = rateVital(name, value)
  return rating === 'good' ? 'plain' : rating === 'poor' ? 'bad' : 'warn'
}

export function isVital(name: string): name is VitalName {
  return Object.hasOwn(vitalBoundaries, name)
}

const join = (...parts: string[]) => parts.filter((part) => part !== '').join(' ')

/** The last one at or before an instant. −1: none. */
export function momentAt(moments: readonly Pick<Moment, 'at'>[], at: number): number {
  let low = 0
  let high = moments.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((moments[middle]?.at ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** The next moment with a problem after a given one, or before it. */
export function nextTrouble(moments: readonly Moment[], from: number, step: 1 | -1): number | undefined {
  for (let index = from + step; index >= 0 && index < moments.length; index += step) {
    if (moments[index]?.isTrouble) return index
  }
  return undefined
}
