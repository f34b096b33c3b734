import { useFlag } from '@telltale/browser/react'
import { useEffect, useState } from 'react'
import type { Product } from '../../api/catalogue.ts'
import { ask, type Found } from '../api.ts'
import { ProductGrid } from '../parts/product-grid.tsx'
import { telltale } from '../telltale.ts'

export function SearchPage({ question }: { question: string }) {
  const isHybrid = useFlag('hybrid-search', false)
  const [products, setProducts] = useState<Product[]>()
  useEffect(() => {
    setProducts(undefined)
    // Not awaited: a rejection is left to error monitoring.
    void search(question, isHybrid).then(setProducts)
  }, [question, isHybrid])

  return (
    <section>
      <div className="title">
        <h1>
          Found for <q>{question}</q>
        </h1>
        {isHybrid && <span className="tag">by meaning</span>}
      </div>
      {products?.length === 0 && <p>Nothing. Other words may help.</p>}
      <ProductGrid products={products} />
    </section>
  )
}

/** Long queries return another shape from hybrid search. The demo keeps this bug so that it can be found. */
async function search(question: string, isHybrid: boolean): Promise<Product[]> {
  const mode = isHybrid ? '&mode=hybrid' : ''
  const { products, ranks } = await ask<Found>(`search?q=${encodeURIComponent(question)}${mode}`)
  const places = new Map(ranks.map(({ id, rank }) => [id, rank]))
  telltale.track('searched', { value: products.length })
  return products.toSorted((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0))
}
