// When a rule would have fired over the last days: the same measure, judgement and states, window after window.

import { judgeMeasure } from '@telltale/core/alerts/judge-measure'
import type { getAlertHistory, MeasureRule } from '@telltale/core/contract/alerts'
import type { ReplyOf } from '@telltale/core/contract/call'
import { limits } from '@telltale/core/limits'
import { stepLength } from '@telltale/core/query/time-buckets'
import { type AlertStanding, alertAfter, newAlert } from '@telltale/core/states/alert'
import { explore } from '../../monitoring/explore/explore.ts'
import { periodOf } from '../../monitoring/explore/open-question.ts'
import type { Question } from '../../monitoring/explore/question.ts'
import type { Services } from '../../platform/services.ts'
import { openAlertQuestion, shiftOf } from './measure-window.ts'

type Past = ReplyOf<typeof getAlertHistory>
type Point = Past['points'][number]

const minute = 60_000
/** About one per pixel of the chart. */
const windowsShown = 700

interface MeasurePastOptions {
  environment: { id: string; timeZone: string }
  rule: MeasureRule
}

export async function measurePast(
  services: Pick<Services, 'db' | 'telemetry' | 'clock'>,
  { environment, rule }: MeasurePastOptions,
): Promise<Past> {
  const length = stepLength[rule.window]
  const to = Math.floor((services.clock().getTime() - limits.alertDelay) / length) * length
  const period = { from: to - Math.min(limits.alertPreview, windowsShown * length), to }
  const question = await openAlertQuestion(services, { environment, rule }, period)
  const now = await readPoints(question, rule)
  const shift = shiftOf(rule)
  const before =
    shift === undefined
      ? []
      : await readPoints(question.with({ from: period.from - shift, to: to - shift }), rule)

  const points = now.map((one, index): Point => {
    const compared = shift === undefined ? undefined : (before[index] ?? { value: null, events: 0 })
    const judged = judgeMeasure(rule.condition, { now: one, before: compared, minEvents: rule.minEvents })
    const { reading, change } = judged
    return { at: one.at, value: one.value, events: one.events, change, reading }
  })
  return { ...periodOf(period), window: rule.window, points, firings: firingsOf(rule, points) }
}

/** Complete windows only. */
async function readPoints(question: Question, { query, window }: MeasureRule) {
  const { filter: _filter, ...requested } = query
  const { groups } = await explore(question, { ...requested, step: window })
  return (groups[0]?.points ?? []).filter(({ partial }) => !partial)
}

function firingsOf(rule: MeasureRule, points: readonly Point[]): Past['firings'] {
  const length = stepLength[rule.window]
  const policy = { for: rule.forMinutes * minute, whenNoData: 'quiet', noDataAfter: 0 } as const
  const firings: Past['firings'] = []
  let standing: AlertStanding = newAlert(0)
  for (const { at, reading } of points) {
    const end = Date.parse(at) + length
    const turn = alertAfter(standing, reading, { policy, now: end })
    standing = turn.standing
    const open = firings.at(-1)
    if (turn.news === 'fire') firings.push({ from: new Date(end).toISOString(), to: null })
    if (turn.news === 'recover' && open !== undefined) open.to = new Date(end).toISOString()
  }
  return firings
}
