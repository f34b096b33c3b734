// Repeats a recorded visit: the same steps and replay by another user at another time, with other ids, and with vitals as
// slow as this user's other visits.

import type { SegmentHeader } from '@telltale/core/contract/attachments'
import type { EventContext, EventOf, TelemetryEvent } from '@telltale/core/contract/events'
import { drawVitals } from './pages.ts'
import type { Person } from './people.ts'
import { createRandom } from './random.ts'
import { type RecordedFrame, type Recording, scriptPlace, shopPlace } from './recording.ts'
import type { ShopScripts } from './scripts.ts'
import { startTape, type TapeEvent, type TapeOptions, type Vital } from './tape.ts'
import { type Frame, respell, stackOf } from './troubles.ts'

export interface GeneratedSegment {
  header: SegmentHeader
  /** The recorded body, base64. */
  body: string
}

interface RepeatedVisit {
  timeline: TapeEvent[]
  segments: GeneratedSegment[]
}

export function repeatRecording(recording: Recording, options: TapeOptions): RepeatedVisit {
  const { shop, scripts, random, startedAt, person, flags, version } = options
  const later = startedAt - recording.startedAt
  const ids = new Map<string, string>()
  const renew = (id: string) => {
    const known = ids.get(id) ?? random.uuid()
    ids.set(id, known)
    return known
  }
  const toContext = ({
    userKey: _key,
    sessionUserKey: _session,
    ...context
  }: EventContext): EventContext => ({
    ...context,
    session: renew(context.session),
    ...(context.tab && { tab: renew(context.tab) }),
    ...(context.view && { view: renew(context.view) }),
    anonymousId: person.anonymousId,
    ...(person.userKey && { userKey: person.userKey, sessionUserKey: person.userKey }),
    version,
    hasReplay: true,
    ...(context.reads && {
      reads: context.reads.map((read) => flags.get(read.flag)?.read ?? read),
    }),
  })
  const own: Pick<Recording, 'contexts' | 'events'> = JSON.parse(
    JSON.stringify({ contexts: recording.contexts, events: recording.events })
      .replaceAll(scriptPlace, scripts.script)
      .replaceAll(shopPlace, shop),
  )
  const contexts = own.contexts.map(toContext)
  // The last state of a view replaces all earlier ones.
  const states = new Map(
    own.events.flatMap((event) =>
      event.kind === 'view_state' ? [[contexts[event.context]?.view, event.id] as const] : [],
    ),
  )
  const vitals = drawVitalsOfViews(options, recording)
  const reported = own.events.flatMap((event): TapeEvent[] => {
    const context = contexts[event.context]
    if (context === undefined) return []
    if (event.kind === 'view_state' && states.get(context.view) !== event.id) return []
    const drawn = vitals.get(recording.contexts[event.context]?.view) ?? {}
    if (event.kind === 'vital' && drawn[event.name] === undefined) return []
    const at = Math.round(event.at + later)
    return [
      { at, context, event: toEvent(event, { at, later, renew, shop, scripts, person, vitals: drawn }) },
    ]
  })
  const segments = recording.segments.map(({ header: { context, segment }, body }) => ({
    header: {
      context: toContext(context),
      segment: { ...segment, startedAt: segment.startedAt + later, endedAt: segment.endedAt + later },
    },
    body,
  }))
  return { timeline: reported, segments }
}

interface Again {
  at: number
  later: number
  renew(id: string): string
  shop: string
  scripts: ShopScripts
  person: Person
  /** Of the event's view. */
  vitals: Vitals
}

type Vitals = Partial<Record<Vital, number>>

/** By view. A recording's own vitals would give everybody who repeats it the same speed. */
function drawVitalsOfViews(
  options: TapeOptions,
  { contexts, events }: Recording,
): Map<string | undefined, Vitals> {
  const random = createRandom(options.random.uuid())
  const views = new Map<string | undefined, Vitals>()
  let tape = startTape({ ...options, random })
  for (const event of events) {
    const { view, page = '' } = contexts[event.context] ?? {}
    if (event.kind !== 'view' || views.has(view)) continue
    // The first view of a tape is one that loads the page.
    if (event.name === 'load') tape = startTape({ ...options, random })
    const place = { page, path: '' }
    tape.open(place)
    views.set(view, drawVitals(tape, place))
  }
  return views
}

function toEvent(event: TelemetryEvent, { at, later, renew, vitals, ...place }: Again): TelemetryEvent {
  const again = { ...event, id: renew(event.id), at }
  if ('action' in again && typeof again.action === 'string') again.action = renew(again.action)
  if (again.kind === 'view_state') {
    again.startedAt = Math.round(again.startedAt + later)
    again.vitals = measuredOf(again.vitals, vitals)
  }
  if (again.kind === 'vital') {
    again.value = vitals[again.name] ?? again.value
    delete again.attributes
  }
  if (again.kind === 'error') {
    again.message = respell(again.message, place.person.engine)
    again.stack = stackOf(place, `${again.type}: ${again.message}`, framesOf(again.stack))
  }
  return again
}

/** Of the vitals that were drawn, those that the recording measured too. */
function measuredOf(recorded: EventOf<'view_state'>['vitals'], drawn: Vitals): Vitals {
  return Object.fromEntries(
    Object.entries(drawn).filter(([name]) => recorded && Object.hasOwn(recorded, name)),
  )
}

function framesOf(stack = '[]'): Frame[] {
  const frames: RecordedFrame[] = JSON.parse(stack)
  return frames.map(({ name, source, code }) => [name, source, code])
}
