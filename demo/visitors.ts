// Visitors in the shop right now: they arrive by the hour's traffic, get the flags that the server serves, and their
// events are returned when due. Only a few at once.

import type { ServedRequest } from './api/served-request.ts'
import { toLines } from './history/batch.ts'
import { referrerOf } from './history/generate-history.ts'
import { contextOf, findPerson, type Person } from './history/people.ts'
import { createRandom } from './history/random.ts'
import { busyness } from './history/rhythm.ts'
import { noScripts, type ShopScripts } from './history/scripts.ts'
import type { DecidedFlags, TapeEvent } from './history/tape.ts'
import { traceRequests } from './history/trace-requests.ts'
import { versions } from './history/versions.ts'
import { generateVisit } from './history/visit.ts'

export interface VisitorsOptions {
  seed: string
  shop: string
  scripts?: ShopScripts
  /** The flags that the server serves to the user now. */
  decide(requested: { context: { targetingKey: string }; userAgent: string }): Promise<DecidedFlags>
}

interface LiveBatch {
  userAgent: string
  country: string
  lines: string
  events: number
  /** By the shop's servers. */
  served: readonly ServedRequest[]
}

export interface Visitors {
  /** Everything that happened until now and was not returned before. */
  step(now: number): Promise<LiveBatch[]>
  present(): number
}

interface Visitor {
  person: Person
  timeline: TapeEvent[]
  served: ServedRequest[]
}

const mostAtOnce = 12
const people = 900
/** Interval between visits in the busiest hour; at night there is still an occasional visit. */
const pause = 12_000
const quietest = 0.15

export function createVisitors({ seed, shop, scripts = noScripts, decide }: VisitorsOptions): Visitors {
  const random = createRandom(seed)
  let visitors: Visitor[] = []
  let before: number | undefined

  const arrive = async (now: number) => {
    const person = findPerson(seed, Math.floor(random.next() * people))
    const flags = await decide({ context: contextOf(person), userAgent: person.userAgent })
    const reported = generateVisit({
      random: createRandom(`${seed} ${now} ${random.next()}`),
      person,
      startedAt: now,
      shop,
      scripts,
      flags,
      version: versions.new,
      referrer: referrerOf(random),
      outage: undefined,
      quickViewBroken: undefined,
    })
    visitors.push({ person, ...traceRequests(reported, { shop, from: now, isAtAnswer: true }) })
  }

  return {
    async step(now) {
      const passed = before === undefined ? pause : Math.min(now - before, pause)
      before = now
      const share = (passed / pause) * Math.max(quietest, busyness(now))
      if (visitors.length < mostAtOnce && random.isLikely(share)) await arrive(now)

      const due = visitors.flatMap(({ person, timeline, served }) => {
        const events = timeline.filter(({ at }) => at <= now)
        if (events.length === 0) return []
        const { userAgent, traits } = person
        const answered = served.filter(({ startedAt, duration }) => startedAt + duration <= now)
        return [
          {
            ...{ userAgent, country: traits.country, lines: toLines(events), events: events.length },
            served: answered,
          },
        ]
      })
      visitors = visitors
        .map(({ person, timeline, served }) => ({
          person,
          timeline: timeline.filter(({ at }) => at > now),
          served: served.filter(({ startedAt, duration }) => startedAt + duration > now),
        }))
        .filter(({ timeline }) => timeline.length > 0)
      return due
    },
    present: () => visitors.length,
  }
}
