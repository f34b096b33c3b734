import { numberColumn } from '../../features/rates/rate-columns.tsx'
import { rateText } from '../../features/rates/rate-text.ts'

interface Rated {
  perMinute: number
}

export const rateColumn = numberColumn<Rated>({
  id: 'rate',
  header: 'Per min',
  hideBelow: 'full',
  card: 'none',
  sortBy: ({ perMinute }) => perMinute,
  cell: ({ perMinute }) => rateText(perMinute),
})
