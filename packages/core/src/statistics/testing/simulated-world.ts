// People who come to a site under a rollout: each has a fixed place in the draw and habits of their own, some come back, and
// the hour and the stage change what everybody lives through. What they do is drawn once for a run, in order of time.
import { bucketOf } from '../buckets.ts'
import type { Random } from './seeded-random.ts'

export interface Design {
  name: string
  /** How often the guard looks; each stage lasts so many looks. */
  stages: readonly { share: number; looks: number }[]
  /** In both arms, over the whole run. */
  people: number
  /** Sessions after the first, and views after the first of each, as means. */
  moreSessions: number
  /** Further visits, each at a later look. */
  returns: number
  /** Of one view and of one person, in logarithms. */
  viewSpread: number
  personSpread: number
  tail: 'lognormal' | 'log-t' | 'zeros'
  /** Of values, instead of the usual. */
  middle?: number
  /** What a browser makes of a value; `slower` is what the treatment adds to its logarithm. */
  round?: (value: number, drawn: { random: Random; slower: number }) => number
  /** Of a session, instead of three on average. */
  views?: (random: Random) => number
  /** The first person of the treatment: how many views in one session, and what is added to the logarithm of each. */
  heavy?: { views: number; slower: number }
  /** Of sessions. */
  errorRate: number
  /** How unequal people are in meeting errors, in logarithms; and errors of a session that has one, after the first. */
  frailty: number
  moreErrors: number
  conversionRate: number
  /** At a time from 0 to 1: what is added to the logarithm of a value, and the factor of errors. */
  weather: (time: number) => { slower: number; errors: number }
  /** What the treatment does: added to the logarithm of a value, and factors. */
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
  /** By person: where the draw puts them, from 0 to 1. Below the share is the treatment. */
  places: Float64Array
  /** By look: what happened since the one before. */
  visits: Visit[][]
  stageOfLook: number[]
}

const usual = { log: Math.log(1_500), smallest: 1, cap: 60_000 }
/** CLS: from tenths of a thousandth to a few units. */
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
