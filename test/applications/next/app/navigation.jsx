'use client'

import Link from 'next/link'
import { buttons, orders, products } from '../../shared/routes.js'

export function Navigation() {
  const pages = ['/', '/products', '/account', '/old', '/crash', ...products.map((id) => `/products/${id}`)]
  return (
    <>
      <nav>
        {[...pages, ...orders.map((id) => `/orders/${id}`)].map((href) => (
          <Link key={href} href={href} prefetch={href === '/products' ? null : false}>
            {href}{' '}
          </Link>
        ))}
        <a href="/account" target="_blank" rel="noopener opener">
          new tab
        </a>
      </nav>
      {buttons.map((name) => (
        <button key={name} type="button" data-do={name}>
          {name}
        </button>
      ))}
    </>
  )
}
