import { useFlag } from '@telltale/browser/react'
import { pictureOf } from '../api.ts'
import { removeFromCart, useCart } from '../cart.ts'
import { Link } from '../parts/link.tsx'
import { priceOf } from '../parts/price.ts'

const shipping = 9

export function CartPage() {
  const threshold = useFlag('free-shipping-threshold', 99)
  const hasSummary = useFlag('cart-summary', false)
  const { products, total } = useCart()
  const missing = Math.max(0, threshold - total)
  if (products.length === 0) {
    return (
      <section className="narrow">
        <h1>Your cart is empty</h1>
        <p>
          <Link to="/c/parts">A bell is a beginning.</Link>
        </p>
      </section>
    )
  }
  return (
    <section className="narrow">
      <h1>Your cart</h1>
      <ul className="lines">
        {products.map((product, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same product may be in it twice, and is the same line
          <li key={`${product.id} ${index}`}>
            <img src={pictureOf(product)} alt="" width="96" height="72" />
            <strong>{product.name}</strong>
            <em>{priceOf(product.price)}</em>
            <button type="button" className="plain" onClick={() => removeFromCart(index)}>
              Remove
            </button>
          </li>
        ))}
      </ul>
      <div className="threshold">
        <progress max={threshold} value={Math.min(total, threshold)} aria-label="Towards free shipping" />
        <p>
          {missing === 0
            ? `Free shipping from ${priceOf(threshold)}: yours.`
            : `${priceOf(missing)} more, and shipping is free (from ${priceOf(threshold)}).`}
        </p>
      </div>
      {hasSummary && (
        <p>
          {missing === 0 ? 'Delivery is free' : `Delivery costs ${priceOf(shipping)}`}, and it comes within
          three days. No other costs.
        </p>
      )}
      <p className="total">
        <span>Total, with shipping</span>
        <b>{priceOf(total + (missing === 0 ? 0 : shipping))}</b>
      </p>
      <Link to="/checkout" className="button checkout">
        Go to checkout
      </Link>
    </section>
  )
}
