import type { Product } from '../../api/catalogue.ts'
import { pictureOf } from '../api.ts'
import { Link } from './link.tsx'
import { priceOf } from './price.ts'

const placeholders = ['a', 'b', 'c', 'd']

/** Placeholders of the same size prevent layout shifts until the products load. */
export function ProductGrid({ products }: { products: readonly Product[] | undefined }) {
  if (products === undefined) {
    return (
      <ul className="products" aria-busy="true">
        {placeholders.map((name) => (
          <li key={name} className="waiting" />
        ))}
      </ul>
    )
  }
  return (
    <ul className="products">
      {products.map((product) => (
        <li key={product.id}>
          <Link to={`/p/${product.slug}`}>
            <img src={pictureOf(product)} alt="" width="480" height="360" />
            <strong>{product.name}</strong>
            <span>{product.line}</span>
            <em>{priceOf(product.price)}</em>
          </Link>
        </li>
      ))}
    </ul>
  )
}
