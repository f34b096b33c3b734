// The A/A test in words: the observed error rate against the allowed one, and possible causes.

import type { AaTest, AaTestMetric, AaTestRound } from '../../../api/aa-test.ts'
import { changeOf, intervalText } from '../../../ui/text/effect-text.ts'
import { cappedChangeText, countOf, countText, shareText } from '../../../ui/text/measure-text.ts'

type Summary = Pick<AaTest, 'verdict' | 'rate' | 'promised' | 'present' | 'on'>

export function verdictText({ verdict, rate, promised, present, on }: Summary): string {
  const said = rateText({ rate, promised })
  switch (verdict) {
    case 'off':
      return 'The A/A test is off.'
    case 'nothing-yet':
      return on
        ? 'No results yet. First results appear a few minutes after the first 200 users.'
        : 'No results before it was turned off.'
    case 'too-early':
      return said === undefined
        ? 'Too early to judge: the first round is still running.'
        : `Too early to judge. So far ${said}.`
    case 'kept':
      return `No evidence of more false alarms than allowed: ${said}.`
    case 'exceeded':
      return rate.interval !== null && rate.interval.lower > promised
        ? `More false alarms than allowed: ${said}.`
        : 'More false alarms than allowed: identical halves differ by more than chance.'
    case 'split-wrong':
      return splitText(present)
  }
}

function rateText({ rate, promised }: Pick<AaTest, 'rate' | 'promised'>): string | undefined {
  const { alarmed, judged, rounds, interval } = rate
  if (interval === null) return undefined
  const ends = `${shareText(interval.lower).replace('%', '')} to ${shareText(interval.upper)}`
  return `${countText(alarmed)} of ${countOf(judged, 'metric')} of ${countOf(rounds, 'round')} alarmed (${shareText(interval.share)}, ${ends}); allowed: at most ${shareText(promised)}`
}

function splitText(present: AaTest['present']): string {
  const isMissing = present?.splitWrong === 'people-missing'
  const seen = (isMissing ? present?.heard : present?.check)?.seen ?? 0
  const share = `${(seen * 100).toFixed(1)}% instead of 50% of users`
  return isMissing
    ? `Sample ratio mismatch: ${share} with telemetry are in the second half, although both halves are the same size. The results of this round are not reliable.`
    : `Sample ratio mismatch: ${share} are in the second half. The results of this round are not reliable.`
}

/** The cause is unknown; these are the usual places to check. */
export const likelyCauses = [
  'Bots that look like browsers.',
  'Users whose key changes: they are reassigned each time.',
  'A key shared by many users, such as one per company: they are counted as one.',
  'Lost telemetry: a blocked script, a page left early, a full spool.',
  'One user with most of the traffic.',
] as const

/** In the metric's own direction: the second half compared with the first. */
export function differenceOf({ difference, better }: Pick<AaTestMetric, 'difference' | 'better'>) {
  return difference === null ? undefined : changeOf(difference, better)
}

export function differenceText(metric: AaTestMetric): string {
  const change = differenceOf(metric)
  if (change === undefined || metric.state === 'gone') return 'not measured'
  const interval = intervalText(change)
  return Number.isFinite(change.est) ? `${cappedChangeText(change.est)}, ${interval}` : interval
}

const waiting: Record<string, string> = {
  'too-few-units': 'Waiting for users',
  'too-uneven': 'Waiting for more evenly distributed usage',
  'too-few-events': 'Waiting for events',
}

export function stateText({ state, missing }: AaTestMetric): string {
  if (state === 'holds') return 'Includes zero'
  if (state === 'left') return 'Left zero'
  return state === 'gone' ? 'Not measured' : (waiting[missing ?? ''] ?? 'Waiting for data')
}

export function alarmsText({ alarms, judged, splitWrong }: AaTestRound): string {
  if (splitWrong !== null) return 'Sample ratio mismatch'
  if (judged === 0) return 'Too few users'
  if (alarms.length === 0) return `None of ${countOf(judged, 'metric')}`
  return alarms.map(({ name }) => name).join(', ')
}
