// Rates per user or session, by the engine of core's statistics; comparisons by that of releases.

import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import {
  type measureRates as measureRatesCall,
  periodsCaveat,
  valuesCaveat,
} from '@telltale/core/contract/rates'
import { problem } from '@telltale/core/errors'
import { emptyFilter } from '@telltale/core/query/filter'
import { rateOfMean, rateOfShare, type UserSums } from '@telltale/core/statistics/clustered-rate'
import { compareShares } from '@telltale/core/statistics/stratified'
import { periodOf, readFilter } from '../explore/open-question.ts'
import type { Question } from '../explore/question.ts'
import { readGroups } from '../explore/read-groups.ts'
import { renderGroup } from '../explore/render-filter.ts'
import { sumUnits } from '../releases/comparison-queries.ts'
import { type RatesQuery, renderStrata, renderUsers } from './unit-rows.ts'

type Query = QueryOf<typeof measureRatesCall>
type Reply = ReplyOf<typeof measureRatesCall>
type Rate = Reply['total']

const groupsListed = 10

export async function measureRates(question: Question, query: Query): Promise<Reply> {
  const asked = readRates(query)
  const top = query.top ?? groupsListed
  const [[total], groups, comparison] = await Promise.all([
    readSums(question.with({}), { ...asked, by: undefined }, 1),
    asked.by === undefined ? [] : readSums(question.with({}), asked, top),
    query.compare === undefined ? null : compare(question, asked, query),
  ])
  return {
    ...periodOf(question),
    unit: asked.unit,
    measure: asked.measure,
    total: toRate(asked, total),
    groups: groups.map((row) => ({ value: row.value_, rate: toRate(asked, row) })),
    others: Math.max(0, Number(groups[0]?.values ?? 0) - groups.length),
    comparison,
  }
}

/** Throws `invalid-request` for fields and filters that cannot be read. */
function readRates({ kind, event, unit = 'user', measure = 'share', by }: Query): RatesQuery {
  const [field] = by === undefined ? [] : readGroups(by, { pointer: '?by', most: 1 })
  return {
    kind,
    event: event === undefined ? emptyFilter : readFilter(event, '?event'),
    unit,
    measure,
    by: field,
  }
}

interface SumsRow extends UserSums {
  value_: string
  events: number
  /** All values, with those that are not listed. */
  values: string
}

function readSums(question: Question, asked: RatesQuery, count: number): Promise<SumsRow[]> {
  return question.read<SumsRow>(
    `SELECT value_, toFloat64(count()) AS units, sum(own_n) AS n, sum(own_y) AS y, sum(own_n * own_n) AS nn, sum(own_n * own_y) AS ny,
      sum(own_y * own_y) AS yy, toFloat64(sum(found)) AS events, count() OVER () AS values
    FROM (SELECT value_, n AS own_n, y AS own_y, found FROM ${renderUsers(question, asked)})
    GROUP BY value_ ORDER BY n DESC, value_ LIMIT ${question.bind(count, 'UInt32')}`,
  )
}

function toRate({ measure }: RatesQuery, row: SumsRow | undefined): Rate {
  if (row === undefined) return { users: 0, units: 0, events: 0, value: null, interval: null, missing: null }
  const known = { users: row.units, units: row.n, events: row.events }
  const found = measure === 'share' ? rateOfShare(row) : rateOfMean(row)
  if (found === undefined) return { ...known, value: null, interval: null, missing: null }
  if ('missing' in found) return { ...known, value: found.value, interval: null, missing: found.missing }
  const { value, lower, upper } = found
  return { ...known, value, interval: { lower, upper }, missing: null }
}

/** Throws `invalid-request` without two values of a field. */
async function compare(
  question: Question,
  asked: RatesQuery,
  { compare: of, value, base }: Query,
): Promise<Reply['comparison']> {
  const own = question.with(of === 'periods' ? { from: 2 * question.from - question.to } : {})
  const sums = await sumUnits(
    own,
    of === 'periods' ? ofPeriods(own, asked, question) : ofValues(own, asked, { value, base }),
  )
  const { strata, treatment, control } = sums
  const found = compareShares(sums)
  const known = {
    strata,
    users: { value: treatment.units, base: control.units },
    caveat: of === 'periods' ? periodsCaveat : valuesCaveat,
  }
  if ('missing' in found)
    return { ...known, missing: found.missing, values: null, change: null, verdict: 'not-comparable' }
  const { change, treatment: one, control: other } = found.comparison
  // No difference of shares is larger.
  const most = asked.measure === 'share' ? 1 : Number.MAX_VALUE
  const [lower, upper] = [Math.max(-most, found.comparison.lower), Math.min(most, found.comparison.upper)]
  return {
    ...known,
    missing: null,
    values: { value: one, base: other },
    change: { estimate: change, lower, upper },
    verdict: lower > 0 ? 'higher' : upper < 0 ? 'lower' : 'not-sure',
  }
}

function ofPeriods(question: Question, asked: RatesQuery, { from, to }: Question): string {
  const start = question.bind(from, 'Int64')
  return renderStrata(
    question,
    { ...asked, by: undefined },
    {
      arm: `ts >= fromUnixTimestamp64Milli(${start})`,
      shift: to - from,
      hasCountry: true,
    },
  )
}

function ofValues(
  question: Question,
  asked: RatesQuery,
  { value, base }: { value: string | undefined; base: string | undefined },
): string {
  const refuse = (pointer: string, message: string) =>
    problem('invalid-request', { errors: [{ pointer, message }] })
  const { by } = asked
  if (by === undefined) throw refuse('?by', 'is needed to compare values')
  if (value === undefined || base === undefined)
    throw refuse('?value', 'and `base` are needed to compare values')
  if (value === base) throw refuse('?base', 'must be another value than `value`')
  const group = `toString(${renderGroup(by, question)})`
  const [one, other] = [question.bind(value, 'String'), question.bind(base, 'String')]
  return renderStrata(question, asked, {
    arm: `multiIf(${group} = ${one}, 1, ${group} = ${other}, 0, 2)`,
    shift: 0,
    // Two countries are in no country together.
    hasCountry: by.field !== 'country',
  })
}
