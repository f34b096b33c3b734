// Simulated users of a site during a rollout: each has a fixed bucket and its own habits, some return, and time and
// stage affect all of them. Their events are drawn once per run, in order of time.
import { bucketOf } from '../buckets.ts'
import type { Random } from './seeded-random.ts'

export interface Design {
  name: string
  /** The number of looks of each stage. */
  stages: readonly { share: number; looks: number }[]
  /** In both arms, over the whole run. */
  people: number
  /** Means of the sessions after the first, and of the views after the first of each session. */
  moreSessions: number
  /** Further visits, each at a later look. */
  returns: number
  /** The spread of views and of users, on a logarithmic scale. */
  viewSpread: number
  personSpread: number
  tail: 'lognormal' | 'log-t' | 'zeros'
  /** Replaces the usual median. */
  middle?: number
  /** Rounds a value like a browser; `slower` is what the treatment adds to its logarithm. */
  round?: (value: number, drawn: { random: Random; slower: number }) => number
  /** Views per session; by default a mean of three. */
  views?: (random: Random) => number
  /** The first user of the treatment: views in one session, and what is added to the logarithm of each. */
  heavy?: { views: number; slower: number }
  /** Per session. */
  errorRate: number
  /** The spread of users' error rates on a logarithmic scale; and further errors of a session with an error. */
  frailty: number
  moreErrors: number
  conversionRate: number
  /** At a time from 0 to 1: what is added to the logarithm of a value, and the factor of errors. */
  weather: (time: number) => { slower: number; errors: number }
  /** The effect of the treatment: what is added to the logarithm of a value, and factors. */
  harm: { slower: number; errors: number; conversions: number }
}

export const calm: Design = {
  name: '50/50, views vary by 0.7, people by 0.5, errors in 1 % of sessions',
  stages: [{ share: 0.5, looks: 40 }],
  people: 6_000,
  moreSessions: 1,
  returns: 0,
  viewSpread: 0.7,
  personSpread: 0.5,
  tail: 'lognormal',
  errorRate: 0.01,
  frailty: 0,
  moreErrors: 0.5,
  conversionRate: 0.1,
  weather: () => ({ slower: 0, errors: 1 }),
  harm: { slower: 0, errors: 1, conversions: 1 },
}

export interface Visit {
  person: number
  /** Buckets of its values, and their capped sum. */
  buckets: number[]
  sum: number
  errors: number
  converted: boolean
}

export interface World {
  /** The bucket of each user, from 0 to 1. Below the share is the treatment. */
  places: Float64Array
  /** By look: the visits since the previous one. */
  visits: Visit[][]
  stageOfLook: number[]
}

const usual = { log: Math.log(1_500), smallest: 1, cap: 60_000 }
/** CLS: from 0.0001 to a few units. */
const tiny = { log: Math.log(0.05), smallest: 0.001, cap: 5 }

export function drawWorld(design: Design, random: Random): World {
  const stageOfLook = design.stages.flatMap(({ looks }, stage) => new Array<number>(looks).fill(stage))
  const looks = stageOfLook.length
  let hasHeavy = design.heavy === undefined
  const visits: Visit[][] = Array.from({ length: looks }, () => [])
  const places = new Float64Array(design.people)

  for (let person = 0; person < design.people; person += 1) {
    places[person] = random.uniform()
    const habits = {
      slower: design.personSpread * random.normal(),
      errors: Math.exp(design.frailty * random.normal() - design.frailty ** 2 / 2),
    }
    const arrival = Math.floor((person / design.people) * looks)
    const sessions = 1 + design.returns + random.geometric(1 / (1 + design.moreSessions))
    for (let session = 0; session < sessions; session += 1) {
      const isReturn = session > 0 && session <= design.returns
      const look = isReturn ? arrival + Math.floor(random.uniform() * (looks - arrival)) : arrival
      const share = design.stages[stageOfLook[look] ?? 0]?.share ?? 0
      const isTreated = (places[person] ?? 1) < share
      const isHeavy = isTreated && !hasHeavy
      if (isHeavy) hasHeavy = true
      const draft = { design, person, habits, isTreated, isHeavy, time: look / looks }
      visits[look]?.push(drawVisit(draft, random))
    }
  }
  return { places, visits, stageOfLook }
}

interface VisitDraft {
  design: Design
  person: number
  habits: { slower: number; errors: number }
  isTreated: boolean
  isHeavy: boolean
  time: number
}

function drawVisit({ design, person, habits, isTreated, isHeavy, time }: VisitDraft, random: Random): Visit {
  const weather = design.weather(time)
  const harm = isTreated ? design.harm : calm.harm
  const scale = design.tail === 'zeros' ? tiny : usual
  const heavy = isHeavy ? design.heavy : undefined
  const log = design.middle === undefined ? scale.log : Math.log(design.middle)
  const middle = log + weather.slower + (heavy ? heavy.slower : habits.slower + harm.slower)
  const buckets: number[] = []
  let sum = 0
  const { round } = design
  let views = heavy?.views ?? design.views?.(random) ?? 1 + random.geometric(1 / 3)
  for (; views > 0; views -= 1) {
    const drawn = drawValue(design, middle, random)
    const value = round === undefined ? drawn : round(drawn, { random, slower: harm.slower })
    buckets.push(bucketOf(value, scale.smallest))
    sum += Math.min(scale.cap, value)
  }
  const errorChance = Math.min(1, design.errorRate * habits.errors * weather.errors * harm.errors)
  const hasErrors = random.uniform() < errorChance
  return {
    person,
    buckets,
    sum,
    errors: hasErrors ? 1 + random.geometric(1 / (1 + design.moreErrors)) : 0,
    converted: random.uniform() < design.conversionRate * harm.conversions,
  }
}

function drawValue({ tail, viewSpread }: Design, middle: number, random: Random): number {
  if (tail === 'zeros' && random.uniform() < 0.4) return 0
  if (tail !== 'log-t') return Math.exp(middle + viewSpread * random.normal())
  // Student's t with four degrees of freedom.
  const squares = [1, 2, 3, 4].reduce((all) => all + random.normal() ** 2, 0)
  return Math.exp(middle + (viewSpread * random.normal()) / Math.sqrt(squares / 4))
}
