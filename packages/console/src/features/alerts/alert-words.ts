import { whyTexts } from '@telltale/core/alerts/alert-text'
import type { Alert, AlertRule, MeasureRule } from '../../api/alerts.ts'
import { measureLabel, valueFormat } from '../../ui/text/measure-words.ts'
import type { MeasuredThing } from '../../ui/text/measured-thing.ts'

/** The same in the words of Explore. */
export function thingOf({ query }: MeasureRule): MeasuredThing {
  const { measure, field, kind, part } = query
  return { measure, of: field, kind: kind === undefined ? undefined : kind, part }
}

export const windowNames: Readonly<Record<MeasureRule['window'], string>> = {
  '1m': '1 minute',
  '5m': '5 minutes',
  '15m': '15 minutes',
  '1h': '1 hour',
  '3h': '3 hours',
  '6h': '6 hours',
  '1d': '1 day',
}

export const eventNames: Readonly<Record<string, string>> = {
  'issue.new': 'New issue',
  'issue.regressed': 'Issue regressed',
  'guard.decided': 'Any guard decision',
  'rollout.regressed': 'Metric of a rollout regressed',
  'rollout.rolled-back': 'Rollout rolled back',
  'rollout.held': 'Rollout on hold',
  'rollout.completed': 'Rollout completed',
  'flag.configured': 'Flag targeting changed',
}

/** `Errors over 5 minutes above 100`. */
export function ruleSentence(rule: AlertRule): string {
  if (rule.kind === 'events') return rule.events.map((event) => eventNames[event] ?? event).join(', ')
  const { condition, window } = rule
  const where = rule.query.filter === undefined ? '' : ` (${rule.query.filter})`
  return `${measureLabel(thingOf(rule))}${where} over ${windowNames[window]} ${boundText(condition, rule)}`
}

export function boundText(condition: MeasureRule['condition'], rule: MeasureRule): string {
  if (condition.kind === 'threshold') {
    return `${condition.is} ${valueFormat(thingOf(rule))(condition.value)}`
  }
  const against = condition.against === 'week' ? 'same window last week' : 'previous period'
  return `${percentText(condition.by)} ${condition.is === 'above' ? 'more' : 'less'} than ${against}`
}

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumSignificantDigits: 3 })
export const percentText = (share: number) => percent.format(share)

/** The value at the last evaluation, or the reason why it is missing. */
export function seenText({ rule, seen }: Pick<Alert, 'rule' | 'seen'>): string {
  if (rule.kind === 'events') return '–'
  if (seen === null) return 'not evaluated yet'
  if (seen.why !== null) return whyTexts[seen.why] ?? seen.why
  if (seen.value === null) return 'not recorded'
  const value = valueFormat(thingOf(rule))(seen.value)
  return seen.change === null
    ? value
    : `${value} (${seen.change < 0 ? '\u2212' : '+'}${percentText(Math.abs(seen.change))})`
}
