// What a plan means, in words: for people who come here, and for each metric.

import type { RolloutProposal } from '../../../api/rollouts.ts'
import { limitText } from '../../../ui/text/effect-text.ts'
import { countText, fullCountText } from '../../../ui/text/measure-text.ts'
import { percent, spanText } from '../rollout-words.ts'
import type { Forecast, MetricForecast } from './forecast.ts'
import type { Plan, PlannedMetric } from './plan-form.ts'

/** `About 1,240 users a day, 78% of whom meet the flag.` */
export function trafficText({ traffic }: RolloutProposal): string {
  const { perDay, reading, days } = traffic
  const since = days < 14 ? `in ${days === 1 ? 'one day' : `${days} days`}` : 'in the last 14 days'
  const meet = reading < 0.995 ? `, of whom ${percentText(reading)} ask for this flag` : ''
  return `Seen here ${since}: about ${countText(perDay)} users a day${meet}.`
}

const percentText = (share: number) => `${Math.max(1, Math.round(share * 100))}%`

/** What the largest stage comes to, where that is too little to decide anything. */
export function tooFewText({ units, perDay }: Forecast, { timeBox }: Plan): string {
  const sides = units.map((own) => Math.min(own?.treatment ?? 0, own?.control ?? 0))
  const largest = Math.floor(Math.max(0, ...sides))
  return `This flag has about ${countText(perDay)} users a day: in ${spanText(timeBox)} the fullest stage has ${countText(largest)} on its smaller side. All metrics are watched: stages advance after their time and users when nothing regressed, and harm beyond doubt still rolls back. Longer stages, or fewer and larger ones, detect smaller harm.`
}

/** `about 580 and 57,420 users after 48 h`. */
export function stageText(units: Forecast['units'][number], timeBox: number): string {
  if (units === undefined) return ''
  const [treated, control] = [Math.round(units.treatment), Math.round(units.control)]
  if (control <= 0) return `about ${fullCountText(treated)} users, nobody left to compare with`
  return `about ${fullCountText(treated)} and ${fullCountText(control)} users after ${spanText(timeBox)}`
}

export interface MetricNote {
  text: string
  /** The plan will hold because of it. */
  isTrouble: boolean
}

/** What the plan can say of a metric, and why it is only watched. */
export function metricNote(
  { limit, role }: PlannedMetric,
  { of, smallest, smallestIn }: MetricForecast,
  timeBox: number,
): MetricNote {
  const isRequired = role === 'required'
  const hold = isRequired ? ' Required, it would hold the rollout.' : ' It can still stop the rollout.'
  if (of.base === null)
    return { text: `Nothing was measured in the last 14 days.${hold}`, isTrouble: isRequired }
  const seen = smallestIn.flatMap((harm) => (harm === undefined ? [] : [limitText(harm, of.better)]))
  const stages = seen.length === 0 ? '' : ` Its stages see harm from ${seen.join(', ')}.`
  if (smallest === undefined)
    return {
      text: `Too few users to decide any limit in ${spanText(timeBox)}.${stages}${hold}`,
      isTrouble: isRequired,
    }
  const from = limitText(roundedUp(smallest), of.better)
  if (limit < smallest)
    return {
      text: `Decided in ${spanText(timeBox)} from a limit of ${from}.${stages}${hold}`,
      isTrouble: isRequired,
    }
  return { text: `Limits from ${from} are decided in time.${stages}`, isTrouble: false }
}

/** Two digits, never smaller than what is decided. */
function roundedUp(limit: number): number {
  const step = 10 ** (Math.floor(Math.log10(limit)) - 1)
  return Math.ceil(limit / step - 1e-9) * step
}

/** What happens at once, and when everybody can have it at the earliest. */
export function consequenceText(
  { treatment, plan, where }: { treatment: string; plan: Plan; where: string },
  forecast: Forecast | undefined,
): string {
  const [first] = plan.stages
  if (first === undefined || Number.isNaN(first.weight)) return ''
  const people = forecast
    ? `, about ${countText((forecast.perDay * first.weight) / 100_000)} users a day`
    : ''
  const length = plan.stages.slice(0, -1).reduce((sum, { minDuration }) => sum + minDuration, 0)
  const last = plan.stages.at(-1)?.weight ?? 0
  const then =
    plan.stages.length > 1 && !Number.isNaN(length) && !Number.isNaN(last)
      ? ` It is at ${percent(last)} after ${spanText(length)} at the earliest.`
      : ''
  return `${treatment} goes to ${percent(first.weight)} of those who come here in ${where} at once${people}.${then} The split, and what stands above it, stay locked until the rollout ends.`
}
