// A plan in words: its effect on users, and on each metric.

import type { Forecast, MetricForecast, RolloutProposal } from '../../../api/rollouts.ts'
import { limitText } from '../../../ui/text/effect-text.ts'
import { countText, fullCountText } from '../../../ui/text/measure-text.ts'
import { percent, spanText } from '../rollout-words.ts'
import type { Plan, PlannedMetric } from './plan-form.ts'

/** `About 1,240 users a day, 78% of whom meet the flag.` */
export function trafficText({ traffic }: RolloutProposal): string {
  const { perDay, reading, days } = traffic
  const since = days < 14 ? `in ${days === 1 ? 'one day' : `${days} days`}` : 'in the last 14 days'
  const meet = reading < 0.995 ? `, ${percentText(reading)} with this flag` : ''
  return `Seen here ${since}: about ${countText(perDay)} users a day${meet}.`
}

const percentText = (share: number) => `${Math.max(1, Math.round(share * 100))}%`

/** The number of users in the largest stage, where it is too small to decide anything. */
export function tooFewText({ units, perDay }: Forecast, { timeBox }: Plan): string {
  const sides = units.map((own) => Math.min(own?.treatment ?? 0, own?.control ?? 0))
  const largest = Math.floor(Math.max(0, ...sides))
  return `This flag has about ${countText(perDay)} users a day. In ${spanText(timeBox)}, the largest stage gets ${countText(largest)} in its smaller arm. All metrics are watched: stages advance after their duration and users if nothing regressed, and clear harm still rolls back. Longer or larger stages detect smaller harm.`
}

/** `about 580 and 57,420 users after 48 h`. */
export function stageText(units: Forecast['units'][number], timeBox: number): string {
  if (units === undefined) return ''
  const [treated, control] = [Math.round(units.treatment), Math.round(units.control)]
  if (control <= 0) return `about ${fullCountText(treated)} users, no control group`
  return `about ${fullCountText(treated)} and ${fullCountText(control)} users after ${spanText(timeBox)}`
}

interface MetricNote {
  text: string
  /** The rollout will be held because of it. */
  isTrouble: boolean
}

/** What the plan can decide about a metric, or why it is only watched. */
export function metricNote(
  { limit, role }: PlannedMetric,
  { of, smallest, smallestIn }: MetricForecast,
  timeBox: number,
): MetricNote {
  const isRequired = role === 'required'
  const hold = isRequired ? ' If required, it would hold the rollout.' : ' It can still stop the rollout.'
  if (of.base === null) return { text: `No measurements in the last 14 days.${hold}`, isTrouble: isRequired }
  const seen = smallestIn.flatMap((harm) => (harm === undefined ? [] : [limitText(harm, of.better)]))
  const stages = seen.length === 0 ? '' : ` Detects harm from ${seen.join(', ')} by stage.`
  if (smallest === undefined)
    return {
      text: `Too few users to confirm any limit in ${spanText(timeBox)}.${stages}${hold}`,
      isTrouble: isRequired,
    }
  const from = limitText(roundedUp(smallest), of.better)
  if (limit < smallest)
    return {
      text: `Needs a limit of ${from} or more to be confirmed in ${spanText(timeBox)}.${stages}${hold}`,
      isTrouble: isRequired,
    }
  return { text: `Can confirm limits of ${from} or more in time.${stages}`, isTrouble: false }
}

/** Two digits, rounded up so that it is never below the decided limit. */
function roundedUp(limit: number): number {
  const step = 10 ** (Math.floor(Math.log10(limit)) - 1)
  return Math.ceil(limit / step - 1e-9) * step
}

/** What changes immediately, and the earliest time at which all users can have it. */
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
      ? ` It reaches ${percent(last)} after ${spanText(length)} at the earliest.`
      : ''
  return `${treatment} goes to ${percent(first.weight)} of users in ${where} immediately${people}.${then} The split and the rules above it are locked until the rollout ends.`
}
