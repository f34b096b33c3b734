// A metric over all users of the last days, from the site's data: measured as the guard measures it, but over
// users instead of the units of a split.

import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { previewMetric as previewMetricCall } from '@telltale/core/contract/metrics'
import { usualCapQuantile, usualQuantile } from '@telltale/core/guard/built-in-metrics'
import { limits } from '@telltale/core/limits'
import { emptyFilter } from '@telltale/core/query/filter'
import { ask, type Question } from '../../monitoring/explore/question.ts'
import type { Services } from '../../platform/services.ts'
import { conditionsOf } from '../evidence/own-events.ts'
import { usualCap } from './create-metric.ts'
import { isTotal } from './metric.ts'
import { readMetricFilter } from './read-metric-filter.ts'

interface PreviewMetricOptions {
  environment: { id: string; timeZone: string }
  query: QueryOf<typeof previewMetricCall>
  now: Date
}

type Reply = ReplyOf<typeof previewMetricCall>
type Measured = Pick<Reply, 'events' | 'users' | 'ofUsers' | 'value'>

interface PreviewRow extends Measured {
  day: string
  unfiltered: number
  cap: number
  negative: number
  currencies: string[]
}

const day = 86_400_000

/** Throws `invalid-request` for a filter that cannot be read. */
export async function previewMetric(
  { telemetry }: Pick<Services, 'telemetry'>,
  { environment, query, now }: PreviewMetricOptions,
): Promise<Reply> {
  const to = now.getTime()
  const from = to - limits.metricPreviewDays * day
  const filter = readMetricFilter(query.filter ?? '', '?filter')
  const question = ask(telemetry, {
    environmentId: environment.id,
    timeZone: environment.timeZone,
    filter: emptyFilter,
    from,
    to,
  })
  const rows = await question.read<PreviewRow>(renderPreview(question, { ...query, filter }))
  const whole = rows.find((row) => row.day === '')
  return {
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    ...measuredOf(whole),
    unfiltered: whole?.unfiltered ?? 0,
    cap: isTotal(query.aggregation) ? (whole?.cap ?? null) : null,
    negative: whole?.negative ?? 0,
    currencies: whole?.currencies ?? [],
    days: rows
      .filter((row) => row.day !== '')
      .map((row) => ({ day: row.day, ...measuredOf(row) }))
      .toSorted((a, b) => (a.day < b.day ? -1 : 1)),
  }
}

const measuredOf = (row: Measured | undefined): Measured => ({
  events: row?.events ?? 0,
  users: row?.users ?? 0,
  ofUsers: row?.ofUsers ?? 0,
  value: row?.value ?? null,
})

/** Users and events by day and in total; the total has an empty name. */
function renderPreview(
  question: Question,
  query: PreviewMetricOptions['query'] & { filter: string },
): string {
  const { bind } = question
  const { event, filter } = query
  const counts = conditionsOf({ event, filter }, bind).join(' AND ')
  const named = conditionsOf({ event, filter: '' }, bind).join(' AND ')
  // Every page sends views and exposures, so these users are counted as well as those with the event.
  const currency = `attrs[${bind('currency', 'String')}]`
  const rows = question.events(`(kind IN ('view', 'exposure') OR (${named}))`)
  const days = `['', toString(toDate(ts, ${bind(question.timeZone, 'String')}))]`
  return `
SELECT day, toFloat64(sum(n)) AS events, toFloat64(countIf(n > 0)) AS users, toFloat64(count()) AS ofUsers,
  toFloat64(sum(named)) AS unfiltered, ${renderValue(query, bind)} AS value,
  toFloat64(sum(below)) AS negative, arraySort(groupUniqArrayArray(5)(paid_in)) AS currencies,
  ifNotFinite(toFloat64(quantileTDigestIf(${bind(query.quantile ?? usualCapQuantile, 'Float64')})(abs(${totalOf(query)}), ${totalOf(query)} != 0)), 0.) AS cap
FROM (
  SELECT arrayJoin(${days}) AS day, user_hash, countIf(${counts}) AS n, countIf(${named}) AS named,
    sumIf(toFloat64(value), ${counts}) AS y, uniqExact(session_id) AS seen, groupArrayIf(10000)(value, ${counts}) AS some,
    countIf(value < 0 AND ${counts}) AS below, groupUniqArrayIf(5)(${currency}, ${currency} != '' AND ${counts}) AS paid_in
  FROM ${rows} GROUP BY day, user_hash)
GROUP BY day ORDER BY day`
}

const totalOf = ({ aggregation }: Pick<PreviewMetricOptions['query'], 'aggregation'>) => {
  if (aggregation === 'count-per-user') return 'n'
  return aggregation === 'sum-per-session' ? 'y / greatest(1, seen)' : 'y'
}

function renderValue(
  { aggregation, quantile, cap }: PreviewMetricOptions['query'],
  bind: Question['bind'],
): string {
  switch (aggregation) {
    case 'proportion':
      return 'if(count() = 0, NULL, countIf(n > 0) / count())'
    case 'mean':
      return 'if(sum(n) = 0, NULL, sum(y) / sum(n))'
    case 'count':
      return `if(sum(seen) = 0, NULL, sum(least(toFloat64(n), ${bind(cap ?? usualCap, 'Float64')} * seen)) / sum(seen))`
    case 'sum':
    case 'count-per-user':
      return `if(count() = 0, NULL, sum(toFloat64(${totalOf({ aggregation })})) / count())`
    case 'sum-per-session':
      return 'if(sum(seen) = 0, NULL, sum(y) / sum(seen))'
    case 'quantile':
      return `if(sum(n) = 0, NULL, toFloat64(quantileTDigestArray(${bind(quantile ?? usualQuantile, 'Float64')})(some)))`
  }
}
