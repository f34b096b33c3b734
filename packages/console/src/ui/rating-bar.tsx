import { shareText } from './text/measure-text.ts'

type RatingBarProps = {
  /** Of all values. */
  good: number
  poor: number
}

/** The shares of good, needs improvement and poor, as one bar. */
export function RatingBar({ good, poor }: RatingBarProps) {
  const middle = Math.max(0, 1 - good - poor)
  const parts = [
    { share: good, color: 'bg-ok-fill' },
    { share: middle, color: 'bg-warn-fill' },
    { share: poor, color: 'bg-bad-fill' },
  ].filter(({ share }) => share > 0)
  return (
    <span
      role="img"
      aria-label={`${shareText(good)} good, ${shareText(middle)} needs improvement, ${shareText(poor)} poor`}
      className="flex h-6 w-full gap-1 overflow-hidden rounded-chip"
    >
      {parts.map(({ share, color }) => (
        <span key={color} className={`h-full min-w-2 ${color}`} style={{ flex: share }} />
      ))}
    </span>
  )
}
