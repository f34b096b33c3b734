import { vitalNames } from '@telltale/core/contract/events'
import type { FieldRef } from '@telltale/core/query/filter'
import type { VitalName } from '@telltale/core/telemetry/vitals'
import { ofBrowsers } from '../explore/conditions.ts'
import type { Question } from '../explore/question.ts'
import { renderGroup } from '../explore/render-filter.ts'
import { sampleOf } from '../explore/sample.ts'
import {
  isGood,
  isPoor,
  percentile,
  percentileIf,
  rounded,
  type VitalsRow,
  vitalColumns,
} from '../explore/vitals.ts'

interface PageTotals {
  views: number
  sessions: string
  errors: number
}

export type PageRow = PageTotals & {
  page: string
  /** The sort value; largest first. */
  sorted: number
  vitals: [name: string, count: string, p75: number | null, good: number | null, poor: number | null][]
  good: number | null
}

/** Of the list of pages. */
export const pageKinds = "kind IN ('view', 'vital', 'error')"
const core = "kind = 'vital' AND name IN ('LCP', 'INP', 'CLS')"
const totalsOf = (question: Question) => `sumIf(weight, kind = 'view') AS views,
  uniqExactIf(session_id, kind = 'view') * ${sampleOf(question)} AS sessions, sumIf(weight, kind = 'error') AS errors`
const share = (condition: string, of: string) =>
  `if(countIf(${of}) = 0, NULL, ${rounded(`sumIf(weight, ${of} AND ${condition}) / sumIf(weight, ${of})`)})`
const isVital = (name: string) => `kind = 'vital' AND name = '${name}'`
const summaryOf = (name: VitalName, sample: number) =>
  `('${name}', countIf(${isVital(name)}) * ${sample}, ${percentileIf(0.75, 'value', isVital(name))}, ${share(isGood, isVital(name))}, ${share(isPoor, isVital(name))})`
const summariesOf = (question: Question) =>
  `[${vitalNames.map((name) => summaryOf(name, sampleOf(question))).join(', ')}] AS vitals`

/** Descending; unknown values last. */
function sortedBy(sort: string): string {
  if (sort === 'views' || sort === 'errors') return `toFloat64(${sort})`
  if (sort === 'good') return `ifNull(1 - ${share(isGood, core)}, -1)`
  return `ifNull(${percentileIf(0.75, 'value', isVital(sort))}, -1)`
}

/** The events that the list of pages counts. */
export const listed = ({ bind }: Question, search: string | undefined) => [
  pageKinds,
  ofBrowsers,
  ...(search === undefined ? [] : [`positionCaseInsensitiveUTF8(page, ${bind(search, 'String')}) > 0`]),
]

export async function findPages(
  question: Question,
  {
    sort,
    search,
    after,
    count,
  }: {
    sort: string
    search: string | undefined
    after: { sorted: number; page: string } | undefined
    count: number
  },
): Promise<PageRow[]> {
  const { bind } = question
  const place = after && { sorted: bind(after.sorted, 'Float64'), page: bind(after.page, 'String') }
  const later =
    place && `HAVING sorted < ${place.sorted} OR (sorted = ${place.sorted} AND page > ${place.page})`
  return question.read<PageRow>(
    `SELECT toString(page) AS page, ${totalsOf(question)}, ${summariesOf(question)}, ${share(isGood, core)} AS good, ${sortedBy(sort)} AS sorted
    FROM ${question.events(...listed(question, search))}
    GROUP BY page ${later ?? ''} ORDER BY sorted DESC, page LIMIT ${bind(count, 'UInt32')}`,
  )
}

/** The events of browsers on a page. */
export const onPage = ({ bind }: Question, page: string) => `${ofBrowsers} AND page = ${bind(page, 'String')}`

export async function findPageTotals(
  question: Question,
  page: string,
): Promise<PageTotals & { frames: number }> {
  const [row] = await question.read<PageTotals & { frames: number }>(
    `SELECT ${totalsOf(question)}, sumIf(weight, kind = 'long_frame') AS frames
    FROM ${question.events("kind IN ('view', 'error', 'long_frame')", onPage(question, page))}`,
  )
  return row ?? { views: 0, sessions: '0', errors: 0, frames: 0 }
}

export async function findPageVitals(question: Question, page: string): Promise<VitalsRow[]> {
  return question.read<VitalsRow>(
    `SELECT ${vitalColumns(question)} FROM ${question.events("kind = 'vital'", onPage(question, page))} GROUP BY name`,
  )
}

export interface BinRow {
  vital: string
  group: string
  bin: number
  count: number
}

/** The number of values in each bin of the width of each vital; the last bin contains all larger values. */
export async function findBins(
  question: Question,
  {
    page,
    widths,
    last,
    by,
  }: { page: string; widths: ReadonlyMap<VitalName, number>; last: number; by: FieldRef | undefined },
): Promise<BinRow[]> {
  const { bind } = question
  const names = bind([...widths.keys()], 'Array(String)')
  // Integer steps of the stored 32-bit number, so that 0.1 falls exactly on a boundary.
  const width = `multiIf(${[...widths].map(([name, one]) => `name = '${name}', ${bind(one, 'Float32')}`).join(', ')}, 1)`
  const group = by === undefined ? "''" : `toString(${renderGroup(by, question)})`
  return question.read<BinRow>(
    `SELECT toString(name) AS vital, ${group} AS group, toUInt32(least(${last}, floor(round(value / ${width}, 4)))) AS bin,
      sum(weight) AS count
    FROM ${question.groupable(by === undefined ? [] : [by], question.events("kind = 'vital'", onPage(question, page), `name IN ${names}`))} GROUP BY vital, group, bin`,
  )
}

interface ElementRow {
  element: string
  count: string
  share: number | null
  p75: number | null
}

export async function findElements(
  question: Question,
  { page, vital }: { page: string; vital: VitalName },
): Promise<ElementRow[]> {
  const rows = question.events(
    "kind = 'vital'",
    onPage(question, page),
    `name = ${question.bind(vital, 'String')}`,
  )
  return question.read<ElementRow>(
    `SELECT target AS element, count() * ${sampleOf(question)} AS count, sumIf(weight, NOT (${isGood})) AS slow,
      if(sum(slow) OVER () = 0, NULL, ${rounded('slow / sum(slow) OVER ()')}) AS share, ${percentile(0.75, 'value')} AS p75
    FROM ${rows} GROUP BY target ORDER BY slow DESC, count DESC, element LIMIT 50`,
  )
}

interface BreakdownRow {
  slice: string
  views: number
  vitals: PageRow['vitals']
}

export async function findBreakdown(
  question: Question,
  { page, by }: { page: string; by: FieldRef },
): Promise<BreakdownRow[]> {
  return question.read<BreakdownRow>(
    `SELECT toString(${renderGroup(by, question)}) AS slice, sumIf(weight, kind = 'view') AS views, ${summariesOf(question)}
    FROM ${question.groupable([by], question.events("kind IN ('view', 'vital')", onPage(question, page)))}
    GROUP BY slice ORDER BY views DESC, slice LIMIT 20`,
  )
}

interface ResourceRow {
  type: string
  host: string
  resource: string
  count: number
  p75: number | null
  bytes: number
  failed: number
  total: number
}

export async function findResources(question: Question, page: string): Promise<ResourceRow[]> {
  return question.read<ResourceRow>(
    `SELECT toString(res_type) AS type, toString(res_host) AS host, if(res_endpoint != '', toString(res_endpoint), target) AS resource,
      sum(weight) AS count, ${percentile(0.75, 'duration')} AS p75, round(sum(res_size * weight) / sum(weight)) AS bytes,
      ${rounded('sumIf(weight, res_failed = 1) / sum(weight)')} AS failed, ${rounded('sum(duration * weight)')} AS total
    FROM ${question.events("kind = 'resource'", onPage(question, page))}
    GROUP BY type, host, resource ORDER BY total DESC, type, host, resource LIMIT 50`,
  )
}

interface FrameTotals {
  frames: number
  p75: number | null
  blocking: number
}

export async function findFrameTotals(question: Question, page: string): Promise<FrameTotals> {
  const [row] = await question.read<FrameTotals>(
    `SELECT sumIf(weight, kind = 'long_frame') AS frames, ${percentileIf(0.75, 'duration', "kind = 'long_frame'")} AS p75,
      if(countIf(kind = 'view') = 0, 0, ${rounded("sumIf(blocking * weight, kind = 'long_frame') / sumIf(weight, kind = 'view')")}) AS blocking
    FROM ${question.events("kind IN ('view', 'long_frame')", onPage(question, page))}`,
  )
  return row ?? { frames: 0, p75: null, blocking: 0 }
}

interface ScriptRow {
  source: string
  function: string
  count: number
  total: number
}

export async function findScripts(question: Question, page: string): Promise<ScriptRow[]> {
  const frames = question.events("kind = 'long_frame'", onPage(question, page))
  return question.read<ScriptRow>(
    `SELECT tupleElement(script, 1) AS source, tupleElement(script, 2) AS function, sum(weight) AS count,
      ${rounded('sum(tupleElement(script, 3) * weight)')} AS total
    FROM (SELECT weight, arrayJoin(scripts) AS script FROM ${frames})
    GROUP BY source, function ORDER BY total DESC, source, function LIMIT 50`,
  )
}
