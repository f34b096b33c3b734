import { limits } from '@telltale/core/limits'
import { type Rating, rateVital, type VitalName } from '@telltale/core/telemetry/vitals'
import { fullCountText, vitalText } from './measure-text.ts'

const marks = {
  good: {
    tone: 'text-ok-fill',
    text: '',
    name: 'good',
    path: 'M6 2.6a3.4 3.4 0 1 1 0 6.8a3.4 3.4 0 0 1 0-6.8Z',
  },
  'needs-improvement': {
    tone: 'text-warn-fill',
    text: '',
    name: 'needs improvement',
    path: 'M6 1.8l4.2 7.6h-8.4Z',
  },
  poor: { tone: 'text-bad-fill', text: 'text-bad', name: 'poor', path: 'M6 1.2l4.8 4.8l-4.8 4.8l-4.8-4.8Z' },
} satisfies Record<Rating, { tone: string; text: string; name: string; path: string }>

/** The shape of a rating, with its word for screen readers. */
export function RatingMark({ rating }: { rating: Rating }) {
  const { tone, name, path } = marks[rating]
  return (
    <svg className={`size-12 shrink-0 fill-current ${tone}`} viewBox="0 0 12 12" role="img" aria-label={name}>
      <path d={path} />
    </svg>
  )
}

type VitalValueProps = {
  name: VitalName
  /** Null: not measured, or too few values for a percentile. */
  value: number | null
  /** The number of values behind a percentile; omit it for a single value. */
  count?: number
  /** Without its mark, where the colour of an adjacent bar shows the rating. */
  plain?: boolean
}

/** A vital with the mark of its rating: `▲ 2.74 s`; or that there are too few values. */
export function VitalValue({ name, value, count, plain = false }: VitalValueProps) {
  if (value === null) {
    const text =
      count === undefined || count === 0
        ? '–'
        : `too few (${fullCountText(count)} of ${limits.percentileMinimum})`
    return (
      <span className="whitespace-nowrap text-text-3" title={text === '–' ? 'not recorded' : undefined}>
        {text}
      </span>
    )
  }
  const rating = rateVital(name, value)
  return (
    <span className={`inline-flex items-center gap-4 whitespace-nowrap tabular-nums ${marks[rating].text}`}>
      {!plain && <RatingMark rating={rating} />}
      {vitalText(name, value)}
    </span>
  )
}
