// What the canary says, in words: how often the statistics erred here against how often they may, and what may stand behind it.

import type { Canary, CanaryDraw, CanaryMetric } from '../../../api/canary.ts'
import { changeOf, changeSaid, intervalText } from '../../../ui/text/effect-text.ts'
import { countOf, countText, shareText } from '../../../ui/text/measure-text.ts'

type Summary = Pick<Canary, 'verdict' | 'rate' | 'promised' | 'present' | 'on'>

export function verdictText({ verdict, rate, promised, present, on }: Summary): string {
  const said = rateText({ rate, promised })
  switch (verdict) {
    case 'off':
      return 'The canary is off.'
    case 'nothing-yet':
      return on
        ? 'Nothing to say yet: the first numbers come a few minutes after the first 200 people.'
        : 'Nothing was measured before it was turned off.'
    case 'too-early':
      return said === undefined
        ? 'Too early to say: the first draw is not over yet.'
        : `Too early to say. So far ${said}.`
    case 'kept':
      return `No sign that the guard errs more often on this site than it says: ${said}.`
    case 'exceeded':
      return rate.interval !== null && rate.interval.lower > promised
        ? `The guard errs more often on this site than it says: ${said}.`
        : 'The guard errs more often on this site than it says: halves that differ in nothing differ by more than chance explains.'
    case 'split-wrong':
      return splitText(present)
  }
}

function rateText({ rate, promised }: Pick<Canary, 'rate' | 'promised'>): string | undefined {
  const { alarmed, judged, draws, interval } = rate
  if (interval === null) return undefined
  const ends = `${shareText(interval.lower).replace('%', '')} to ${shareText(interval.upper)}`
  return `${countText(alarmed)} of ${countOf(judged, 'metric')} of ${countOf(draws, 'draw')} alarmed (${shareText(interval.share)}, ${ends}); promised are no more than ${shareText(promised)}`
}

function splitText(present: Canary['present']): string {
  const isMissing = present?.splitWrong === 'people-missing'
  const seen = (isMissing ? present?.heard : present?.check)?.seen ?? 0
  const share = `${(seen * 100).toFixed(1)}% instead of 50% of the people`
  return isMissing
    ? `Sample ratio mismatch: ${share} who are heard of are in the second half, though as many were drawn into each. No number of this draw can be trusted.`
    : `Sample ratio mismatch: ${share} are in the second half. No number of this draw can be trusted.`
}

/** Nobody knows which; these are where to look. */
export const likelyCauses = [
  'Programs that look like browsers: they come in thousands, and are few people.',
  'A person whose key changes: each time they are drawn anew.',
  'A key that many people share, such as one for a whole company: they are counted as one.',
  'Telemetry that is lost for some: a blocked script, a page left early, a full spool.',
  'One person with most of the traffic: a mean follows where they are.',
] as const

/** In the metric's own direction: of the second half against the first. */
export function differenceOf({ difference, better }: Pick<CanaryMetric, 'difference' | 'better'>) {
  return difference === null ? undefined : changeOf(difference, better)
}

export function differenceText(metric: CanaryMetric): string {
  const change = differenceOf(metric)
  if (change === undefined || metric.state === 'gone') return 'not measured'
  const interval = intervalText(change)
  return Number.isFinite(change.est) ? `${changeSaid(change.est)}, ${interval}` : interval
}

const waiting: Record<string, string> = {
  'too-few-units': 'Waiting for people',
  'too-uneven': 'Waiting for more even use',
  'too-few-events': 'Waiting for events',
}

export function stateText({ state, missing }: CanaryMetric): string {
  if (state === 'holds') return 'Holds zero'
  if (state === 'left') return 'Left zero'
  return state === 'gone' ? 'Not measured' : (waiting[missing ?? ''] ?? 'Waiting for data')
}

export function alarmsText({ alarms, judged, splitWrong }: CanaryDraw): string {
  if (splitWrong !== null) return 'Sample ratio mismatch'
  if (judged === 0) return 'Too few people'
  if (alarms.length === 0) return `None of ${countOf(judged, 'metric')}`
  return alarms.map(({ name }) => name).join(', ')
}
