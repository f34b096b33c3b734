import { fieldDefinition, filterFields, type NumericField } from '@telltale/core/query/filter-fields'
import { bytesText, countText, durationText, shareText, signedText } from './measure-text.ts'
import { type Measure, type MeasuredThing, needsField, usualField } from './measured-thing.ts'

export const measureNames: Readonly<Record<Measure, string>> = {
  count: 'the number',
  rate: 'the number per minute',
  users: 'the users',
  sessions: 'the sessions',
  p50: 'the median (p50)',
  p75: 'the p75',
  p95: 'the p95',
  p99: 'the p99',
  mean: 'the mean',
  sum: 'the sum',
  share: 'the share',
}

export const kindNames: Readonly<Record<NonNullable<MeasuredThing['kind']>, string>> = {
  view: 'views',
  vital: 'vitals',
  action: 'actions',
  resource: 'requests and resources',
  error: 'errors',
  long_frame: 'long frames',
  custom: 'custom events',
  exposure: 'exposures',
  log: 'log records',
}

/** A short name: for column headers and charts. */
export function measureLabel({ measure = 'count', of, kind, part }: MeasuredThing): string {
  const events = kind === undefined ? 'events' : kindNames[kind]
  if (needsField(measure)) return `${shortNames[measure]} ${filterFields[of ?? usualField(kind)].label}`
  if (measure === 'share') return part === undefined ? 'Share' : `Share with ${part}`
  return measure === 'rate' ? `${capital(events)} per minute` : `${shortNames[measure] || capital(events)}`
}

const shortNames: Readonly<Record<Measure, string>> = {
  count: '',
  rate: '',
  users: 'Users',
  sessions: 'Sessions',
  share: 'Share',
  p50: 'p50',
  p75: 'p75',
  p95: 'p95',
  p99: 'p99',
  mean: 'Mean',
  sum: 'Sum',
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** The format of a measure's values. */
export function valueFormat({ measure = 'count', of, kind }: MeasuredThing): (value: number) => string {
  if (measure === 'share') return shareText
  if (measure === 'rate') return rateText
  if (!needsField(measure)) return countText
  return fieldFormat(of ?? usualField(kind))
}

function fieldFormat(field: NumericField): (value: number) => string {
  const { unit } = fieldDefinition(field)
  if (unit === 'ms') return durationText
  if (unit === 'bytes') return bytesText
  return field === 'cls' ? (value) => value.toFixed(2) : plainText
}

const plain = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 })
const plainText = (value: number) => plain.format(value)

function rateText(perMinute: number): string {
  if (perMinute === 0) return '0'
  return perMinute >= 10 ? countText(perMinute) : plain.format(Number(perMinute.toPrecision(2)))
}

/** For shares the difference in points, otherwise the relative change. */
export function pointsText(change: number): string {
  return `${signedText(change * 100, (value) => String(Number(value.toFixed(1))))} points`
}
