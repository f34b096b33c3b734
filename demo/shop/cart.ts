// The cart of this browser.

import { useSyncExternalStore } from 'react'
import { findProduct, type Product } from '../api/catalogue.ts'
import { ask } from './api.ts'
import { telltale } from './telltale.ts'

const place = 'pedal-and-post-cart'
const changed = 'shop-cart'

export interface Cart {
  products: Product[]
  total: number
}

const read = () => sessionStorage.getItem(place) ?? '[]'

function write(ids: number[]): void {
  sessionStorage.setItem(place, JSON.stringify(ids))
  dispatchEvent(new Event(changed))
}

const idsOf = (text: string): number[] => JSON.parse(text)

function follow(listener: () => void): () => void {
  addEventListener(changed, listener)
  return () => removeEventListener(changed, listener)
}

export function useCart(): Cart {
  const products = idsOf(useSyncExternalStore(follow, read)).flatMap((id) => findProduct(id) ?? [])
  return { products, total: products.reduce((sum, { price }) => sum + price, 0) }
}

export async function addToCart({ id, price, category }: Product): Promise<void> {
  write([...idsOf(read()), id])
  telltale.track('added_to_cart', { value: price, attributes: { product: String(id), category } })
  await ask('cart', { id })
}

export function removeFromCart(index: number): void {
  write(idsOf(read()).filter((_, at) => at !== index))
}

export const emptyCart = () => write([])
