import { variationColor } from './variation.tsx'

export interface Share {
  /** The index of the variation in its flag. */
  readonly order: number
  readonly label: string
  /** In any unit: only the share of the sum matters. */
  readonly weight: number
}

type RolloutBarProps = {
  /** The same in words, above the bar: `25% one-page`. */
  text: string
  /** In the order of the variations. */
  shares: readonly Share[]
}

export function RolloutBar({ text, shares }: RolloutBarProps) {
  const total = shares.reduce((sum, { weight }) => sum + weight, 0)
  return (
    <span className="grid gap-4">
      <span className="truncate text-12">{text}</span>
      <span aria-hidden="true" className="flex h-6 gap-1 overflow-hidden rounded-chip bg-line">
        {shares
          .filter(({ weight }) => weight > 0)
          .map(({ order, weight }) => (
            <span
              key={order}
              className={`${variationColor(order)} ${order === 0 ? 'opacity-60' : ''}`}
              style={{ width: `${(100 * weight) / (total || 1)}%` }}
            />
          ))}
      </span>
    </span>
  )
}
