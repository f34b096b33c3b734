// Visits with replays: recordings of real ones, repeated by other users at other times. Each is assigned to a user
// who gets the recorded variations from the evaluator, so that the replay matches the data.

import type { SegmentHeader } from '@telltale/core/contract/attachments'
import type { EventContext, TelemetryEvent } from '@telltale/core/contract/events'
import type { Decision } from './decide.ts'
import { findPerson, type Person } from './people.ts'
import { createRandom, type Random } from './random.ts'
import { type RecordedFrame, type Recording, scriptPlace, shopPlace } from './recording.ts'
import type { ShopScripts } from './scripts.ts'
import type { TapeEvent } from './tape.ts'
import { type Frame, stackOf } from './troubles.ts'

export interface GeneratedSegment {
  header: SegmentHeader
  /** The recorded body, base64. */
  body: string
}

export interface RecordedOptions {
  seed: string
  from: number
  until: number
  shop: string
  scripts: ShopScripts
  recordings: readonly Recording[]
  /** How many visits to generate. */
  count: number
  /** Number of users. */
  people: number
  decide(person: Person, at: number): Decision
  versionAt(at: number): string
}

interface RepeatedVisit {
  person: Person
  startedAt: number
  decision: Decision
  timeline: TapeEvent[]
  segments: GeneratedSegment[]
}

const peopleTried = 60
/** Enough attempts to find variations that were served for only a few hours. */
const momentsTried = 120

export function* generateRecordedVisits(options: RecordedOptions): Generator<RepeatedVisit> {
  const { seed, from, until, recordings, count } = options
  const times = new Map<Recording, number>()
  const longest = Math.max(0, ...recordings.map(({ startedAt, endedAt }) => endedAt - startedAt))
  const last = until - longest - 1_000
  for (let index = 0; index < count; index++) {
    const random = createRandom(`${seed} recorded ${index}`)
    const startedAt = Math.floor(last - ((index + random.next() * 0.8) * (last - from)) / count)
    const reported = recordings
      .map((_, place) => recordings[(index + place) % recordings.length])
      .flatMap((recording) => recording ?? [])
    for (const recording of reported) {
      const found = findWho(options, { recording, random, startedAt })
      if (found === undefined) continue
      times.set(recording, (times.get(recording) ?? 0) + 1)
      yield { startedAt, ...found, ...repeatRecording(options, { recording, random, startedAt, ...found }) }
      break
    }
  }
  // A short history has no room for every recording.
  if (count < recordings.length) return
  const each = Math.ceil(count / recordings.length)
  for (const recording of recordings) {
    yield* printRare(options, { recording, last, missing: each - (times.get(recording) ?? 0) })
  }
}

/** Makes recordings of rare variations as frequent as the others, at times when a user was served them. */
function* printRare(
  options: RecordedOptions,
  { recording, last, missing }: { recording: Recording; last: number; missing: number },
): Generator<RepeatedVisit> {
  let left = missing
  for (let moment = 0; moment < momentsTried && left > 0; moment++) {
    const random = createRandom(`${options.seed} ${recording.name} ${moment}`)
    const startedAt = Math.floor(last - random.next() * (last - options.from))
    const found = findWho(options, { recording, random, startedAt })
    if (found === undefined) continue
    left -= 1
    yield { startedAt, ...found, ...repeatRecording(options, { recording, random, startedAt, ...found }) }
  }
}

interface Placed {
  recording: Recording
  random: Random
  startedAt: number
}

/** Finds a user with the same kind of device who was served the recorded variations at that time. */
function findWho(
  { seed, people, decide }: RecordedOptions,
  { recording, random, startedAt }: Placed,
): { person: Person; decision: Decision } | undefined {
  for (let requested = 0; requested < peopleTried; requested++) {
    const person = findPerson(seed, Math.floor(random.next() * people))
    if (person.engine !== 'chromium' || person.traits.device !== recording.device) continue
    const decision = decide(person, startedAt)
    const isSame = Object.entries(recording.flags).every(
      ([flag, variation]) => decision.flags.get(flag)?.read.variation === variation,
    )
    if (isSame) return { person, decision }
  }
  return undefined
}

function repeatRecording(
  { shop, scripts, versionAt }: RecordedOptions,
  { recording, random, startedAt, person, decision }: Placed & { person: Person; decision: Decision },
): Pick<RepeatedVisit, 'timeline' | 'segments'> {
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
    version: versionAt(startedAt),
    hasReplay: true,
    ...(context.reads && {
      reads: context.reads.map((read) => decision.flags.get(read.flag)?.read ?? read),
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
  const reported = own.events.flatMap((event): TapeEvent[] => {
    const context = contexts[event.context]
    if (context === undefined) return []
    if (event.kind === 'view_state' && states.get(context.view) !== event.id) return []
    const at = Math.round(event.at + later)
    return [{ at, context, event: toEvent(event, { at, later, renew, shop, scripts, person }) }]
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
}

function toEvent(event: TelemetryEvent, { at, later, renew, ...place }: Again): TelemetryEvent {
  const again = { ...event, id: renew(event.id), at }
  if ('action' in again && typeof again.action === 'string') again.action = renew(again.action)
  if (again.kind === 'view_state') again.startedAt = Math.round(again.startedAt + later)
  if (again.kind === 'error')
    again.stack = stackOf(place, `${again.type}: ${again.message}`, framesOf(again.stack))
  return again
}

function framesOf(stack = '[]'): Frame[] {
  const frames: RecordedFrame[] = JSON.parse(stack)
  return frames.map(({ name, source, code }) => [name, source, code])
}
