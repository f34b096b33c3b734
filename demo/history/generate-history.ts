// A week of Pedal & Post, told visit by visit: the same seed and the same rule sets give the same events, ids included.

import type { Evaluation } from '@telltale/core/contract/trace'
import { toLines } from './batch.ts'
import { createDecide, type RuleSetSince } from './decide.ts'
import { type GeneratedProfile, generateProfiles } from './generate-profiles'
import { type GeneratedSegment, generateRecordedVisits } from './generate-recorded-visits'
import { contextOf, findPerson, type Person } from './people.ts'
import { createRandom } from './random.ts'
import type { Recording } from './recording.ts'
import { arrivals } from './rhythm.ts'
import { noScripts, type ShopScripts } from './scripts.ts'
import type { Period, TapeEvent } from './tape.ts'
import { versions } from './versions.ts'
import { generateVisit } from './visit.ts'

export interface HistoryOptions {
  seed: string
  from: number
  until: number
  visits: number
  /** Where the shop is, without a slash at the end. */
  shop: string
  scripts?: ShopScripts
  ruleSets: readonly RuleSetSince[]
  /** Of sessions, from 0 to 1. */
  profiled?: number
  /** Visits that were recorded: some of them are told again. */
  recordings?: readonly Recording[]
}

/** What one visit sent, and what it asked for. */
export interface GeneratedVisit {
  batch: { id: string; userAgent: string; country: string; lines: string; events: number }
  startedAt: number
  endedAt: number
  /** The context it was evaluated with. */
  context: { targetingKey: string }
  isCustomer: boolean
  evaluations: ReadonlyMap<string, Evaluation>
  profiles: readonly GeneratedProfile[]
  /** What it looked like, of those that were recorded. */
  segments: readonly GeneratedSegment[]
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** How often the same person comes in the time that is told. */
const visitsPerPerson = 1.7
/** Visits may last: the last ones begin a while before the end. */
const lull = 30 * minute
const newVersionBefore = 3.2 * day
/** Several on every day of the week, and few beside all the others. */
const mostRecorded = 36
const visitsPerRecorded = 40

export function* generateHistory(options: HistoryOptions): Generator<GeneratedVisit> {
  const { seed, from, until, visits, shop, ruleSets, scripts = noScripts, profiled = 0 } = options
  const versionAt = (at: number) => (at < until - newVersionBefore ? versions.old : versions.new)
  const decide = createDecide(ruleSets)
  const people = Math.max(1, Math.round(visits / visitsPerPerson))
  const times = arrivals(createRandom(`${seed} arrivals`), { from, until: until - lull, count: visits })
  const outage = outageBefore(until)
  for (const [index, startedAt] of times.entries()) {
    const id = batchId(createRandom(`${seed} batch ${index}`), until)
    const random = createRandom(`${seed} visit ${index}`)
    const person = findPerson(seed, Math.floor(random.next() ** 1.3 * people))
    const { flags, evaluations } = decide(person, startedAt)
    const told = generateVisit({
      ...{ random, person, startedAt, shop, scripts, flags, outage },
      version: versionAt(startedAt),
      referrer: referrerOf(random),
    }).filter(({ at }) => at < until)
    yield {
      ...toVisit({ id, person, startedAt, told }),
      evaluations,
      profiles: generateProfiles(
        told,
        { random: createRandom(`${seed} profiles ${index}`), person, shop, scripts, flags },
        profiled,
      ),
      segments: [],
    }
  }
  const { recordings = [] } = options
  const count = recordings.length === 0 ? 0 : Math.min(mostRecorded, Math.floor(visits / visitsPerRecorded))
  const asked = { seed, from, until, shop, scripts, recordings, count, people, decide, versionAt }
  let index = 0
  for (const { person, startedAt, decision, told, segments } of generateRecordedVisits(asked)) {
    const id = batchId(createRandom(`${seed} recorded batch ${index++}`), until)
    const { evaluations } = decision
    yield { ...toVisit({ id, person, startedAt, told }), evaluations, profiles: [], segments }
  }
}

interface OneVisit {
  id: string
  person: Person
  startedAt: number
  told: readonly TapeEvent[]
}

function toVisit({ id, person, startedAt, told }: OneVisit) {
  const { userAgent, traits, userKey } = person
  return {
    batch: { id, userAgent, country: traits.country, lines: toLines(told), events: told.length },
    startedAt,
    endedAt: told.at(-1)?.at ?? startedAt,
    context: contextOf(person),
    isCustomer: userKey !== undefined,
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

/** The afternoon on which many orders failed, two days before the end. */
function outageBefore(end: number): Period {
  const from = end - (end % day) - 2 * day + 13.5 * hour
  return { from, until: from + 75 * minute }
}

/** A UUIDv7 says when it was made: the intake looks for repeated batches from there on. */
function batchId(random: ReturnType<typeof createRandom>, madeAt: number): string {
  const time = Math.floor(madeAt).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.uuid().slice(15)}`
}
