import { useState } from 'react'
import { categories, type Product } from '../../api/catalogue.ts'
import { useAnswer } from '../api.ts'
import { ProductGrid } from '../parts/product-grid.tsx'

export function CategoryPage({ category }: { category: string }) {
  const answer = useAnswer<{ products: Product[] }>(`products?category=${category}`)
  const [isSorted, setSorted] = useState(false)
  const products = isSorted ? answer?.products.toSorted((a, b) => a.price - b.price) : answer?.products
  const name = new Map<string, string>(Object.entries(categories)).get(category) ?? category

  return (
    <section>
      <div className="title">
        <h1>{name}</h1>
        <button
          type="button"
          className="plain sort"
          aria-pressed={isSorted}
          onClick={() => setSorted(!isSorted)}
        >
          Sort by price
        </button>
      </div>
      <ProductGrid products={products} />
    </section>
  )
}
