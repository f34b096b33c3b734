import { ErrorBoundary, useFlag } from '@telltale/browser/react'
import { useState } from 'react'
import { type Category, categories, type Product } from '../../api/catalogue.ts'
import { useAnswer } from '../api.ts'
import { ProductGrid } from '../parts/product-grid.tsx'
import { QuickView } from '../parts/quick-view.tsx'
import { telltale } from '../telltale.ts'

export function CategoryPage({ category }: { category: string }) {
  const hasQuickView = useFlag('quick-view', false)
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
      {hasQuickView && isCategory(category) && (
        <ErrorBoundary telltale={telltale} fallback={() => null}>
          <QuickView category={category} />
        </ErrorBoundary>
      )}
      <ProductGrid products={products} />
    </section>
  )
}

function isCategory(text: string): text is Category {
  return Object.hasOwn(categories, text)
}
