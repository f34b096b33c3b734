import { useFlag } from '@telltale/browser/react'
import { type ReactNode, useEffect } from 'react'
import { CartPage } from './pages/cart-page.tsx'
import { CategoryPage } from './pages/category-page.tsx'
import { CheckoutPage } from './pages/checkout-page.tsx'
import { HomePage } from './pages/home-page.tsx'
import { ProductPage } from './pages/product-page.tsx'
import { SearchPage } from './pages/search-page.tsx'
import { ThanksPage } from './pages/thanks-page.tsx'
import { Footer } from './parts/footer.tsx'
import { Header } from './parts/header.tsx'
import { Link } from './parts/link.tsx'
import { useAddress } from './routes.ts'

const postYellow = { accent: '#f2c230', ink: '#1d2a24', paper: '#fbf8f1' }

export function App() {
  const theme = useFlag('theme', postYellow)
  const { accent, ink, paper } = { ...postYellow, ...theme }
  useEffect(() => {
    const { style } = document.documentElement
    for (const [name, value] of Object.entries({ accent, ink, paper })) style.setProperty(`--${name}`, value)
  }, [accent, ink, paper])

  return (
    <>
      <Header />
      <main>{pageAt(useAddress())}</main>
      <Footer />
    </>
  )
}

function pageAt(address: string): ReactNode {
  const [path = '/', query = ''] = address.split('?', 2)
  const [, first, second] = path.split('/')
  if (path === '/') return <HomePage />
  if (first === 'c' && second) return <CategoryPage category={second} />
  if (first === 'p' && second) return <ProductPage key={second} slug={second} />
  if (path === '/search') return <SearchPage question={new URLSearchParams(query).get('q') ?? ''} />
  if (path === '/cart') return <CartPage />
  if (path === '/checkout') return <CheckoutPage />
  if (path === '/thanks') return <ThanksPage />
  return (
    <section className="narrow">
      <h1>No such street</h1>
      <p>
        We deliver nearly everywhere, but not here. <Link to="/">Back to the shop</Link>
      </p>
    </section>
  )
}
