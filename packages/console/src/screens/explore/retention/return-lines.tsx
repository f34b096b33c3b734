import { useRef } from 'react'
import type { Retention } from '../../../api/funnels.ts'
import { useWidth } from '../../../charts/use-width.ts'
import { countText, shareText } from '../../../ui/text/measure-text.ts'
import { Variation } from '../../../ui/variation.tsx'

const height = 200
const [top, bottom, left, right] = [10, 24, 44, 16]
const strokes = ['stroke-v0', 'stroke-v1', 'stroke-v2', 'stroke-v3', 'stroke-v4', 'stroke-v5']
const fills = ['fill-v0', 'fill-v1', 'fill-v2', 'fill-v3', 'fill-v4', 'fill-v5']
const most = strokes.length

/** The share that returns, with its interval as a band: one line, or one for each group. */
export function ReturnLines({ retention: { lines, step } }: { retention: Retention }) {
  const host = useRef<HTMLDivElement>(null)
  const width = useWidth(host)
  const shown = (lines.length > 1 ? lines.slice(1) : lines).slice(0, most)
  const count = Math.max(0, ...shown.map(({ points }) => points.filter(({ rate }) => rate !== null).length))
  const highest = Math.max(0.05, ...shown.flatMap(({ points }) => points.map(({ rate }) => rate?.upper ?? 0)))
  const scale = Math.min(1, Math.ceil(highest * 20) / 20)
  const inner = { width: width - left - right, height: height - top - bottom }
  const x = (index: number) => left + (count < 2 ? inner.width / 2 : (index / (count - 1)) * inner.width)
  const y = (share: number) => top + (1 - share / scale) * inner.height
  if (count === 0) {
    return <p className="text-text-2">No {step} after the first is over. Choose a longer time range.</p>
  }
  return (
    <div className="grid gap-8">
      <ul className="flex flex-wrap gap-x-16 gap-y-4">
        {shown.map(({ value, size, points }, order) => (
          <li key={value ?? ''} className="flex items-baseline gap-8">
            <Variation order={order} label={value ?? 'All users'} isKey={value !== null} />
            <span className="text-12 text-text-3">{countText(size)} users</span>
            {points[0]?.rate && (
              <span className="text-12 text-text-2">
                {shareText(points[0].rate.share)} ({shareText(points[0].rate.lower)} to{' '}
                {shareText(points[0].rate.upper)}) after a {step}
              </span>
            )}
          </li>
        ))}
      </ul>
      <div ref={host} className="min-w-0 overflow-hidden">
        {width > left + right && (
          <svg
            role="img"
            aria-label={`Share of users that return, by ${step}s after their first event`}
            width={width}
            height={height}
            className="block fill-none"
          >
            {[0, scale / 2, scale].map((tick) => (
              <g key={tick}>
                <path className="stroke-line" d={`M${left} ${y(tick)}H${left + inner.width}`} />
                <text className="fill-text-3 text-11" x={left - 8} y={y(tick) + 4} textAnchor="end">
                  {shareText(tick)}
                </text>
              </g>
            ))}
            {Array.from({ length: count }, (_, index) => index)
              .filter((index) => count < 13 || index % 5 === 4 || index === 0)
              .map((index) => (
                <text
                  key={index}
                  className="fill-text-3 text-11"
                  x={x(index)}
                  y={height - 6}
                  textAnchor="middle"
                >
                  +{index + 1}
                </text>
              ))}
            {shown.map(({ value, points }, order) => {
              const known = points.flatMap(({ rate }, index) => (rate === null ? [] : [{ ...rate, index }]))
              const edge = (of: 'lower' | 'share' | 'upper') =>
                known.map((point) => `${x(point.index).toFixed(1)} ${y(point[of]).toFixed(1)}`)
              return (
                <g key={value ?? ''}>
                  {known.length > 1 && (
                    <path
                      className={fills[order]}
                      opacity={0.16}
                      d={`M${edge('upper').join('L')}L${edge('lower').toReversed().join('L')}Z`}
                    />
                  )}
                  <path className={strokes[order]} strokeWidth={2} d={`M${edge('share').join('L')}`} />
                  {known.map((point) => (
                    <circle
                      key={point.index}
                      className={fills[order]}
                      cx={x(point.index)}
                      cy={y(point.share)}
                      r={known.length > 13 ? 2 : 3}
                    />
                  ))}
                </g>
              )
            })}
          </svg>
        )}
      </div>
    </div>
  )
}
