import { ErrorBoundary, useFlag } from '@telltale/browser/react'
import { useState } from 'react'
import { categories, products } from '../../api/catalogue.ts'
import { useAnswer } from '../api.ts'
import { addToCart } from '../cart.ts'
import { Gallery, Picture } from '../parts/gallery.tsx'
import { Link } from '../parts/link.tsx'
import { priceOf } from '../parts/price.ts'
import { telltale } from '../telltale.ts'

export function ProductPage({ slug }: { slug: string }) {
  const hasGallery = useFlag('new-gallery', false)
  const hasEstimate = useFlag('delivery-estimate', false)
  const isSticky = useFlag('sticky-cart', false)
  const product = products.find((each) => each.slug === slug)
  useAnswer(`products/${product?.id ?? 0}`)
  const [isAdded, setAdded] = useState(false)
  if (product === undefined) return <h1>We do not sell that.</h1>

  const add = () => {
    // The deliberate bug of the sticky button: it takes a second piece for a double click, however late it comes.
    if (isSticky && isAdded) return
    setAdded(true)
    addToCart(product).catch((error: unknown) => telltale.reportError(error))
  }
  return (
    <article className="product">
      <ErrorBoundary telltale={telltale} fallback={() => <Picture product={product} />}>
        {hasGallery ? <Gallery product={product} /> : <Picture product={product} />}
      </ErrorBoundary>
      <div>
        <p className="quiet">
          <Link to={`/c/${product.category}`}>{categories[product.category]}</Link>
        </p>
        <h1>{product.name}</h1>
        <p className="line">{product.line}</p>
        <p className="price">{priceOf(product.price)}</p>
        {hasEstimate && <p className="quiet">At your door within three days.</p>}
        <button type="button" className={isSticky ? 'button add sticky' : 'button add'} onClick={add}>
          Add to cart
        </button>
        {isAdded && (
          <p className="added" role="status">
            It is in your cart. <Link to="/cart">Go to the cart</Link>
          </p>
        )}
        <ul className="facts">
          <li>Assembled and adjusted before it leaves the workshop</li>
          <li>Delivered by cargo bike within the ring, by van beyond it</li>
          <li>Two years of free brake adjustments</li>
        </ul>
      </div>
    </article>
  )
}
