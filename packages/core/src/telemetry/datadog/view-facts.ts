// Converts a view of the Datadog client: its start, written once; its state, written again with every change; and its
// vitals, written when they are final and again if they still change.

import type { EventOf } from '../../contract/events.ts'
import {
  countIn,
  given,
  idIn,
  isObject,
  type JsonObject,
  millisecondsIn,
  nanosecondsPerMillisecond,
  numberIn,
  objectIn,
  textIn,
} from '../json.ts'
import type { RumEvent } from '../rum-event.ts'
import { hiddenMember } from './fold-view.ts'
import { type Envelope, readEnvelope } from './read-envelope.ts'

type VitalName = EventOf<'vital'>['name']

/** A fact that exists once per view. */
export interface ViewFact {
  /** `view`, or the name of a vital or timing. */
  name: string
  report: RumEvent
  /** Value of a vital, which may change after it was written. */
  value?: number
}

export interface ViewFacts {
  viewId: string
  version: number
  /** Client time. */
  startedAt: number
  tab: string | undefined
  isActive: boolean
  state: RumEvent
  /** Facts that never change. */
  certain: ViewFact[]
  /** Facts that may change while the page is open. */
  open: ViewFact[]
}

const beginnings: Readonly<Record<string, EventOf<'view'>['name']>> = {
  initial_load: 'load',
  route_change: 'route',
  session_renewal: 'route',
  bf_cache: 'bfcache',
}

/** `idOf` derives a stable id from a text. Undefined when the view lacks required fields. */
export function readViewFacts(
  raw: JsonObject,
  version: number,
  idOf: (text: string) => string,
): ViewFacts | undefined {
  const envelope = readEnvelope(raw)
  const view = objectIn(raw, 'view')
  const viewId = idIn(view, 'id')
  if (envelope === undefined || viewId === undefined || textIn(view, 'url') === undefined) return undefined

  const { about, at: startedAt, flags, traits } = envelope
  const toReport = (event: RumEvent['event']): RumEvent => ({ event, about, actions: [], flags, traits })
  const duration = millisecondsIn(view, 'time_spent') ?? 0
  const vitals = vitalsOf(view)
  const isActive = view.is_active !== false && objectIn(raw, 'session').is_active !== false
  const now = startedAt + duration
  const vitalFact = (name: VitalName): ViewFact[] => {
    const found = vitals[name]
    if (found === undefined) return []
    const facts = { id: idOf(`${viewId} ${name}`), at: now, context: 0 }
    return [{ name, report: toReport({ kind: 'vital', ...facts, name, ...found }), value: found.value }]
  }
  const begun: ViewFact = {
    name: 'view',
    report: toReport({
      kind: 'view',
      id: viewId,
      at: startedAt,
      context: 0,
      ...given('name', beginnings[textIn(view, 'loading_type') ?? '']),
    }),
  }
  // Browsers stop reporting LCP candidates at the first interaction.
  const isTouched = vitals.INP !== undefined
  const largest = vitalFact('LCP')
  return {
    viewId,
    version,
    startedAt,
    tab: about.tab,
    isActive,
    state: toReport({
      ...stateOf(raw, envelope),
      rev: version,
      duration,
      active: isActive,
      vitals: valuesOf(vitals, raw),
    }),
    certain: [
      ...[begun, ...vitalFact('FCP'), ...vitalFact('TTFB'), ...(isTouched ? largest : [])],
      ...timingsOf(view, (name, ms) => ({
        name: `timing ${name}`,
        report: toReport({
          kind: 'custom',
          id: idOf(`${viewId} timing ${name}`),
          at: startedAt + ms,
          context: 0,
          name,
          duration: ms,
          value: ms,
          attributes: { 'datadog.type': 'timing' },
        }),
      })),
    ],
    open: [...(isTouched ? [] : largest), ...vitalFact('INP'), ...vitalFact('CLS')],
  }
}

function stateOf(raw: JsonObject, { at: startedAt }: Envelope) {
  const view = objectIn(raw, 'view')
  const duration = millisecondsIn(view, 'time_spent') ?? 0
  const exit = objectIn(raw, 'session').is_active === false ? 'session' : 'route'
  return {
    kind: 'view_state' as const,
    id: idIn(view, 'id') ?? '',
    at: startedAt + duration,
    context: 0,
    startedAt,
    ...given('exit', view.is_active === false ? (exit as 'session' | 'route') : undefined),
    actions: countIn(view, 'action'),
    resources: countIn(view, 'resource'),
    errors: countIn(view, 'error'),
    longFrames: countIn(view, 'long_task'),
    frustrations: countIn(view, 'frustration'),
  }
}

type Vitals = Partial<Record<VitalName, { value: number; target?: string }>>

function vitalsOf(view: JsonObject): Vitals {
  const performance = objectIn(view, 'performance')
  const span = (name: string, nested: string, member: string) =>
    millisecondsIn(view, name) ?? millisecondsIn(objectIn(performance, nested), member)
  const found: Vitals = {}
  const put = (name: VitalName, value: number | undefined, target?: string) => {
    if (value !== undefined) found[name] = { value, ...given('target', target) }
  }
  const targetOf = (name: string, nested: string) =>
    textIn(view, `${name}_target_selector`) ?? textIn(objectIn(performance, nested), 'target_selector')
  put(
    'LCP',
    span('largest_contentful_paint', 'lcp', 'timestamp'),
    targetOf('largest_contentful_paint', 'lcp'),
  )
  // 0: there were interactions, but none long enough to be measured.
  put(
    'INP',
    span('interaction_to_next_paint', 'inp', 'duration'),
    targetOf('interaction_to_next_paint', 'inp'),
  )
  put(
    'CLS',
    numberIn(view, 'cumulative_layout_shift') ?? numberIn(objectIn(performance, 'cls'), 'score'),
    targetOf('cumulative_layout_shift', 'cls'),
  )
  put('FCP', span('first_contentful_paint', 'fcp', 'timestamp'))
  put('TTFB', millisecondsIn(view, 'first_byte'))
  return found
}

function valuesOf(vitals: Vitals, raw: JsonObject): NonNullable<EventOf<'view_state'>['vitals']> {
  const { LCP, INP, CLS, FCP, TTFB } = vitals
  const hidden = objectIn(raw, '_dd')[hiddenMember]
  return {
    ...given('LCP', LCP?.value),
    ...given('INP', INP?.value),
    ...given('CLS', CLS?.value),
    ...given('FCP', FCP?.value),
    ...given('TTFB', TTFB?.value),
    // The page may have been hidden before the view began.
    ...given(
      'hidden',
      typeof hidden === 'number' ? Math.max(0, hidden / nanosecondsPerMillisecond) : undefined,
    ),
  }
}

const timingsKept = 50

function timingsOf(view: JsonObject, toReport: (name: string, ms: number) => ViewFact): ViewFact[] {
  const timings = view.custom_timings
  if (!isObject(timings)) return []
  return Object.keys(timings)
    .slice(0, timingsKept)
    .flatMap((name) => {
      const ms = millisecondsIn(timings, name)
      return ms === undefined ? [] : [toReport(name, ms)]
    })
}
