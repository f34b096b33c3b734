import { unitsForVerdict } from '@telltale/core/guard/judge-metric'
import type { Comparison, ImpactMetric } from '../../api/impact.ts'
import {
  changeOf,
  estimateText,
  intervalText,
  limitText,
  metricLabel,
  oneSided,
  valueText,
} from '../../ui/text/effect-text.ts'
import { fullCountText, shareText } from '../../ui/text/measure-text.ts'
import { hasEffect } from './metric-evidence.ts'

/** The joint confidence level of the panel's intervals. */
export function familyText(metrics: readonly ImpactMetric[]): string {
  const own = metrics.filter(({ isGuarded }) => !isGuarded).length
  const guarded = metrics.length - own
  const all = `Simultaneous 95% intervals for all ${own} metrics and all variations.`
  if (guarded === 0) return all
  const asGuard = `${guarded === 1 ? 'The guarded metric is' : `The ${guarded} guarded metrics are`} judged as in the guarded rollout.`
  return own === 0 ? asGuard : `${asGuard} ${all.replace('all', 'the other')}`
}

/** The statistic after the name, unless the name contains it: `INP p75`, `share`. */
export function measureNote(metric: ImpactMetric): string {
  const { name, measuredIn } = metric
  const label = metricLabel(metric)
  if (label !== name) return label
  if (measuredIn === 'share') return 'share'
  if (measuredIn === 'per-session') return /per session/i.test(name) ? '' : 'per session'
  return 'mean'
}

/** `Interaction to Next Paint, INP p75`. */
export function wholeName(metric: ImpactMetric): string {
  const note = measureNote(metric)
  return note === '' ? metric.name : `${metric.name}, ${note}`
}

export function armText(metric: ImpactMetric, arm: 'treatment' | 'control'): string {
  if (metric.rateBelow !== null) return `below ${shareText(metric.rateBelow)}`
  return metric.values === null ? 'not recorded' : valueText(metric, metric.values[arm])
}

/** `+3.1%` and `+0.6 to +5.8%`. Undefined without an estimate. */
export function effectText(metric: ImpactMetric): { change: string; interval: string } | undefined {
  if (metric.harm === null || !hasEffect(metric)) return undefined
  const change = changeOf(metric.harm, metric.better)
  return {
    change: estimateText(change.est),
    interval: intervalText(change),
  }
}

/** One side has no events, the other has some. */
export function oneSidedText(values: ImpactMetric['values']): string | undefined {
  if (values === null || (values.control === 0) === (values.treatment === 0)) return undefined
  return values.control === 0 ? oneSided.control : oneSided.treatment
}

const missing: Record<string, string> = {
  'too-uneven': 'mostly from a few users',
  'too-few-events': 'too few events yet',
  'no-units': 'not recorded',
  'no-variance': 'every value is the same',
  'no-positive-mean': 'no counts in one arm',
  'lowest-bucket': 'too little variation',
}

/** Why there is no verdict: `34 of about 100 users`. */
export function waitingText({ missing: why, units }: ImpactMetric): string {
  if (why === 'too-few-units')
    return `${fullCountText(Math.min(units.treatment, units.control))} of ${unitsForVerdict} users`
  return (why !== null && missing[why]) || 'too few to compare'
}

/** A whole row as one sentence, for screen readers. */
export function effectLabel(metric: ImpactMetric): string {
  const effect = effectText(metric)
  if (effect === undefined) return `${metric.name}: ${waitingText(metric)}`
  return `${metric.name} ${effect.change}, interval ${effect.interval}, limit ${limitText(metric.limit, metric.better)}`
}

/** The population: counted users, and excluded ones. */
export function crossedText({ crossed }: Comparison): string | undefined {
  if (crossed === 0) return undefined
  return `${fullCountText(crossed)} ${crossed === 1 ? 'user' : 'users'} saw both arms`
}
