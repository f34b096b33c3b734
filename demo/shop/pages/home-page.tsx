import type { Product } from '../../api/catalogue.ts'
import { pictureAt, useAnswer } from '../api.ts'
import { Link } from '../parts/link.tsx'
import { ProductGrid } from '../parts/product-grid.tsx'

export function HomePage() {
  const answer = useAnswer<{ products: Product[] }>('products?featured=1')
  return (
    <>
      <section className="hero">
        <img src={pictureAt('pictures/hero.svg')} alt="" width="1160" height="400" />
        <div>
          <h1>Bicycles that arrive</h1>
          <p>Built for letters, groceries and children. Assembled here, brought by hand.</p>
          <Link to="/c/city" className="button">
            Find your bike
          </Link>
        </div>
      </section>
      <h2>From the workshop this week</h2>
      <ProductGrid products={answer?.products} />
    </>
  )
}
