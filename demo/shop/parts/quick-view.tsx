import { type Category, products } from '../../api/catalogue.ts'
import { priceOf } from './price.ts'

/** A summary of a category. */
export function QuickView({ category }: { category: Category }) {
  const own = products.filter((product) => product.category === category)
  const cheapest = Math.min(...own.map(({ price }) => price))
  return (
    <p className="quiet">
      {countOf(own.length, category)} from {priceOf(cheapest)}
    </p>
  )
}

/** In the rollouts before the last one, the unit was `wheel`, which `Intl` does not support. */
function countOf(count: number, category: Category): string {
  const isRidden = category === 'gravel' || category === 'cargo'
  if (!isRidden) return String(count)
  return `${new Intl.NumberFormat('en', { maximumFractionDigits: 0 }).format(count * 2)} wheels`
}
