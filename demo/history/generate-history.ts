// A week of Pedal & Post, generated visit by visit: the same seed and rule sets give the same events, including ids.

import type { Evaluation } from '@telltale/core/contract/trace'
import type { ServedRequest } from '../api/served-request.ts'
import { quickViewFixedAgo } from '../rollouts.ts'
import { toLines } from './batch.ts'
import { chooseRecording } from './choose-recording.ts'
import { createDecide, type RuleSetSince } from './decide.ts'
import { type GeneratedProfile, generateProfiles } from './generate-profiles'
import { contextOf, findPerson, type Person } from './people.ts'
import { createRandom } from './random.ts'
import type { Recording } from './recording.ts'
import { type GeneratedSegment, repeatRecording } from './repeat-recording.ts'
import { arrivals } from './rhythm.ts'
import { noScripts, type ShopScripts } from './scripts.ts'
import type { Period, TapeEvent } from './tape.ts'
import { traceRequests } from './trace-requests.ts'
import { newVersionAgo, versions } from './versions.ts'
import { generateVisit } from './visit.ts'

export interface HistoryOptions {
  seed: string
  from: number
  until: number
  visits: number
  /** The shop's URL, without a trailing slash. */
  shop: string
  scripts?: ShopScripts
  ruleSets: readonly RuleSetSince[]
  /** Share of sessions, from 0 to 1. */
  profiled?: number
  /** Recorded visits: one visit in ten repeats one of them. */
  recordings?: readonly Recording[]
}

/** What one visit sent and which flags it evaluated. */
export interface GeneratedVisit {
  batch: { id: string; userAgent: string; country: string; lines: string; events: number }
  startedAt: number
  endedAt: number
  /** The evaluation context. */
  context: { targetingKey: string }
  isCustomer: boolean
  evaluations: ReadonlyMap<string, Evaluation>
  profiles: readonly GeneratedProfile[]
  /** Replay segments, for recorded visits. */
  segments: readonly GeneratedSegment[]
  /** What the shop's servers did for it, in the last two days. */
  served: readonly ServedRequest[]
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** The intake refuses spans of more than two days ago, and the history takes a while to write. */
const tracedAgo = 47 * hour
/** Average visits per user in the generated period. */
const visitsPerPerson = 1.7
/** Visits take time, so the last ones begin this long before the end. */
const lull = 30 * minute

export function* generateHistory(options: HistoryOptions): Generator<GeneratedVisit> {
  const {
    seed,
    from,
    until,
    visits,
    shop,
    ruleSets,
    scripts = noScripts,
    profiled = 0,
    recordings = [],
  } = options
  const versionAt = (at: number) => (at < until - newVersionAgo ? versions.old : versions.new)
  const decide = createDecide(ruleSets)
  const people = Math.max(1, Math.round(visits / visitsPerPerson))
  const times = arrivals(createRandom(`${seed} arrivals`), { from, until: until - lull, count: visits })
  const outage = outageBefore(until)
  const quickViewBroken = { from, until: until - quickViewFixedAgo }
  for (const [index, startedAt] of times.entries()) {
    const id = batchId(createRandom(`${seed} batch ${index}`), until)
    const random = createRandom(`${seed} visit ${index}`)
    const person = findPerson(seed, Math.floor(random.next() ** 1.3 * people))
    const { flags, evaluations } = decide(person, startedAt)
    const visit = {
      random,
      person,
      startedAt,
      shop,
      scripts,
      flags,
      outage,
      quickViewBroken,
      version: versionAt(startedAt),
      referrer: referrerOf(random),
    }
    const ofRecording = createRandom(`${seed} recorded ${index}`)
    const recording = chooseRecording(recordings, {
      random: ofRecording,
      person,
      startedAt,
      flags,
      outage,
      quickViewBroken,
    })
    if (recording !== undefined) {
      const repeated = repeatRecording(recording, { ...visit, random: ofRecording })
      const recorded = { timeline: repeated.timeline, shop, from: until - tracedAgo, isAtAnswer: false }
      yield {
        ...toVisit({ id, person, startedAt }, recorded),
        evaluations,
        profiles: [],
        segments: repeated.segments,
      }
      continue
    }
    const reported = generateVisit(visit).filter(({ at }) => at < until)
    const generated = { timeline: reported, shop, from: until - tracedAgo, isAtAnswer: true }
    yield {
      ...toVisit({ id, person, startedAt }, generated),
      evaluations,
      profiles: generateProfiles(
        reported,
        { random: createRandom(`${seed} profiles ${index}`), person, shop, scripts, flags },
        profiled,
      ),
      segments: [],
    }
  }
}

type TracedTimeline = { timeline: readonly TapeEvent[] } & Parameters<typeof traceRequests>[1]

interface OneVisit {
  id: string
  person: Person
  startedAt: number
}

function toVisit({ id, person, startedAt }: OneVisit, { timeline: events, ...traced }: TracedTimeline) {
  const { timeline, served } = traceRequests(events, traced)
  const { userAgent, traits, userKey } = person
  return {
    batch: { id, userAgent, country: traits.country, lines: toLines(timeline), events: timeline.length },
    startedAt,
    endedAt: timeline.at(-1)?.at ?? startedAt,
    context: contextOf(person),
    isCustomer: userKey !== undefined,
    served,
  }
}

const referrers: readonly (readonly [string, number])[] = [
  ['', 36],
  ['https://www.google.com/', 34],
  ['https://www.instagram.com/', 10],
  ['https://duckduckgo.com/', 6],
  ['https://www.bing.com/', 5],
  ['https://forum.fahrradpost.example/', 9],
]

export const referrerOf = (random: ReturnType<typeof createRandom>) => random.weighted(referrers)

/** The afternoon two days before the end when many orders failed. */
function outageBefore(end: number): Period {
  const from = end - (end % day) - 2 * day + 13.5 * hour
  return { from, until: from + 75 * minute }
}

/** A UUIDv7 contains its creation time: the intake searches for repeated batches from there. */
function batchId(random: ReturnType<typeof createRandom>, madeAt: number): string {
  const time = Math.floor(madeAt).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.uuid().slice(15)}`
}
