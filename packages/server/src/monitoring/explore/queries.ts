import type { FieldRef, Filter } from '@telltale/core/query/filter'
import type { ExploreMeasure, FieldName, NumericField } from '@telltale/core/query/filter-fields'
import type { Question } from './question.ts'
import type { Source } from './source.ts'
import type { Steps } from './steps.ts'
import { percentile, rounded } from './vitals.ts'

export interface Measure {
  measure: ExploreMeasure
  field: NumericField | undefined
  part: Filter | undefined
}

/** A measure as SQL: the events that count, and the aggregate of them. */
interface RenderedMeasure {
  value: string
  conditions: string[]
}

const minute = 60_000
const levels: Partial<Record<ExploreMeasure, number>> = { p50: 0.5, p75: 0.75, p95: 0.95, p99: 0.99 }

/** A rate is returned as a count and later divided by the minutes of its step. */
export function renderMeasure(source: Source, { measure, field, part }: Measure): RenderedMeasure {
  const { value, of } = field === undefined ? { value: '0', of: '1' } : source.number(field)
  const conditions = field === undefined ? [] : [of]
  const level = levels[measure]
  if (level !== undefined) return { value: percentile(level, value), conditions }
  switch (measure) {
    case 'users':
      return { value: `toFloat64(${source.users})`, conditions }
    case 'sessions':
      return { value: `toFloat64(${source.sessions})`, conditions }
    case 'mean':
      return {
        value: `if(count() = 0, NULL, ${rounded(`sum(toFloat64(${value}) * weight) / sum(weight)`)})`,
        conditions,
      }
    case 'sum':
      return { value: rounded(`sum(toFloat64(${value}) * weight)`), conditions }
    case 'share':
      return {
        value: `if(count() = 0, NULL, ${rounded(`sumIf(weight, ${renderPart(source, part)}) / sum(weight)`)})`,
        conditions,
      }
    default:
      return { value: 'sum(weight)', conditions }
  }
}

function renderPart(source: Source, part: Filter | undefined): string {
  const found = part === undefined ? [] : source.part(part)
  return found.length === 0 ? '1' : found.join(' AND ')
}

/** The groups with the most events. Request one more than shown to find out whether there are more. */
export async function findGroups(
  question: Question,
  {
    source,
    by,
    measured,
    count,
  }: { source: Source; by: readonly FieldRef[]; measured: RenderedMeasure; count: number },
): Promise<string[][]> {
  const values = by.map((field) => `toString(${source.group(field)})`)
  const rows = await question.read<{ values: string[] }>(
    `SELECT [${values.join(', ')}] AS values FROM ${source.rows(by, ...measured.conditions)}
    GROUP BY values ORDER BY sum(weight) DESC, values LIMIT ${question.bind(count, 'UInt32')}`,
  )
  return rows.map((row) => row.values)
}

export interface SeriesRow {
  /** Index in the list of groups, from 1; one more than the last for all others; 0 for the total. */
  group: number
  /** 0 for the whole period. */
  at: number
  result: number | null
  events: number
}

/** The series of the groups found before and the sums of both, in one statement. */
export async function findSeries(
  question: Question,
  {
    source,
    by,
    groups,
    measured,
    steps,
  }: {
    source: Source
    by: readonly FieldRef[]
    groups: readonly (readonly string[])[]
    measured: RenderedMeasure
    steps: Steps
  },
): Promise<SeriesRow[]> {
  const group = groups.length === 0 ? undefined : renderPlace(question, { source, by, groups })
  return question.read<SeriesRow>(
    `SELECT ${group ?? 'toUInt16(0)'} AS group, ${steps.of(question, 'ts')} AS at, ${measured.value} AS result, sum(weight) AS events
    FROM ${source.rows(group === undefined ? [] : by, ...measured.conditions)} GROUP BY ${group === undefined ? '' : 'group, '}at WITH ROLLUP`,
  )
}

/** Over all events, each counted once. */
export async function findTotal(
  question: Question,
  source: Source,
  measured: RenderedMeasure,
): Promise<Pick<SeriesRow, 'result' | 'events'> | undefined> {
  const [row] = await question.read<Pick<SeriesRow, 'result' | 'events'>>(
    `SELECT ${measured.value} AS result, sum(weight) AS events FROM ${source.rows([], ...measured.conditions)}`,
  )
  return row
}

/** A separator that does not occur in the values. */
const between = '\u001f'

function renderPlace(
  question: Question,
  { source, by, groups }: { source: Source; by: readonly FieldRef[]; groups: readonly (readonly string[])[] },
): string {
  const { bind } = question
  const values = by.map((field) => `toString(${source.group(field)})`)
  const value = values.length === 1 ? (values[0] ?? "''") : `concat(${values.join(`, '${between}', `)})`
  const known = bind(
    groups.map((group) => group.join(between)),
    'Array(String)',
  )
  const places = bind(
    groups.map((_, place) => place + 1),
    'Array(UInt16)',
  )
  return `transform(${value}, ${known}, ${places}, toUInt16(${groups.length + 1}))`
}

export interface FacetRow {
  /** Index in the list of fields. */
  field: number
  text: string
  count: number
  distinct: string
}

const fewValues: readonly FieldName[] = [
  'kind',
  'browser',
  'os',
  'device',
  'country',
  'connection',
  'service',
  'source',
  'origin',
  'method',
  'resource-type',
  'handled',
  'failed',
  'replay',
  'bot',
]

/** Fields with so few combinations of values that one read of the events serves them all. */
export const hasFewValues = ({ field }: FieldRef) => fewValues.includes(field)

export async function findFacets(
  question: Question,
  {
    source,
    fields,
    search,
    top,
  }: {
    source: Source
    fields: readonly FieldRef[]
    search: string | undefined
    top: number
  },
): Promise<FacetRow[]> {
  const { bind } = question
  const groups = fields.map((ref, place) => {
    const value = ref.field === 'frustration' ? 'arrayJoin(frustration)' : source.group(ref)
    return `${value} AS facet_${place}`
  })
  const pairs = fields.map((_, place) => `(${place}, toString(facet_${place}))`)
  const found =
    search === undefined ? '' : ` AND positionCaseInsensitiveUTF8(text, ${bind(search, 'String')}) > 0`
  return question.read<FacetRow>(
    `SELECT field, text, count, count() OVER (PARTITION BY field) AS distinct
    FROM (SELECT tupleElement(pair, 1) AS field, tupleElement(pair, 2) AS text, sum(weighed) AS count
      FROM (SELECT weighed, arrayJoin([${pairs.join(', ')}]) AS pair
        FROM (SELECT ${groups.join(', ')}, sum(weight) AS weighed FROM ${source.rows(fields)}
          GROUP BY ${fields.map((_, place) => `facet_${place}`).join(', ')}))
      GROUP BY field, text)
    WHERE text != ''${found} ORDER BY count DESC, text LIMIT ${bind(top, 'UInt32')} BY field`,
  )
}

export const minutesOf = ({ from, to }: { from: number; to: number }) => (to - from) / minute
