// The shop's API: its responses and their delays. Stateless; the cart is kept in the browser.

import {
  categories,
  findProduct,
  type Product,
  products,
  withDeletedPicture,
  withoutPictures,
} from './catalogue.ts'
import { drawHero, drawProduct, type Side } from './pictures.ts'

export interface ShopQuestion {
  method: string
  /** Relative to /demo/api/. */
  path: string
  query: URLSearchParams
  /** From 0 to 1; determines the delay. */
  chance: number
}

export interface ShopAnswer {
  status: number
  type: string
  body: string
  /** Milliseconds until the response is sent. */
  delay: number
}

const sides = new Set<string>(['side', 'detail', 'road'])
const featured = [207, 302, 401, 501, 211, 504]
/** Synonyms for hybrid search. */
const meanings: Record<string, string[]> = {
  children: ['cargo'],
  kids: ['cargo'],
  two: ['children'],
  bag: ['pannier'],
  light: ['city', 'helmet'],
  belt: ['belt'],
  bike: ['city', 'gravel', 'cargo'],
}

export function answerShop(question: ShopQuestion): ShopAnswer | undefined {
  const { method, path, query } = question
  const picture = /^pictures\/(\w+)\.svg$/.exec(path)?.[1]
  if (method === 'GET' && picture !== undefined) return answerPicture(picture, query)
  const route = `${method} ${path.replace(/\d+/, ':id')}`
  const product = findProduct(Number(/\d+/.exec(path)?.[0]))

  switch (route) {
    case 'GET products':
      return json(question, 120, { products: listProducts(query) })
    case 'GET products/:id':
      return product ? json(question, 90, product) : notFound(question)
    case 'GET products/:id/photos':
      return product ? json(question, 640, picturesOf(product)) : notFound(question)
    case 'GET search':
      return answerSearch(question)
    case 'POST cart':
      return json(question, 110, { kept: true })
    case 'POST quote':
      return json(question, 210, { days: 3, by: 'van' })
    case 'POST orders':
      return json(question, 340, { order: `PP-${10_000 + Math.floor(question.chance * 90_000)}` })
    default:
      return undefined
  }
}

function listProducts(query: URLSearchParams): Product[] {
  const category = query.get('category')
  if (category !== null) return products.filter((product) => product.category === category)
  return featured.flatMap((id) => findProduct(id) ?? [])
}

/**
 * For queries of three or more words, hybrid search returns another shape: the bug that the demo is about. It fails on
 * queries of one character: a second one.
 */
function answerSearch(question: ShopQuestion): ShopAnswer {
  const words = (question.query.get('q') ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  const isHybrid = question.query.get('mode') === 'hybrid'
  if (isHybrid && words.join('').length === 1)
    return { ...json(question, 90, { error: 'The index has no vector for it.' }), status: 500 }
  const found = products.filter((product) => {
    const text = `${product.name} ${product.line} ${categories[product.category]}`.toLowerCase()
    const matches = (word: string) =>
      text.includes(word) || (isHybrid && (meanings[word] ?? []).some((meant) => text.includes(meant)))
    return isHybrid ? words.some(matches) : words.every(matches)
  })
  const ranks = found.map(({ id }, index) => ({ id, rank: index + 1 }))
  const isBroken = isHybrid && words.length > 2
  return json(question, isHybrid ? 390 : 140, { products: found, ranks: isBroken ? { list: ranks } : ranks })
}

/** One product lists a photo that was deleted: the third deliberate bug. */
const picturesOf = ({ id }: Product) => ({
  photos: [...sides, ...(id === withDeletedPicture ? ['tread'] : [])].map(
    (side) => `pictures/${id}.svg?side=${side}`,
  ),
  ...(id !== withoutPictures && { takenAt: '2026-03-14' }),
})

function answerPicture(name: string, query: URLSearchParams): ShopAnswer | undefined {
  const side = query.get('side') ?? 'side'
  const body = name === 'hero' ? drawHero() : isSide(side) ? drawProduct(Number(name), side) : undefined
  return body === undefined ? undefined : { status: 200, type: 'image/svg+xml', body, delay: 15 }
}

const isSide = (side: string): side is Side => sides.has(side)

function json({ chance, method }: ShopQuestion, median: number, content: object): ShopAnswer {
  // From two thirds of the median to twice the median, mostly near it.
  const delay = Math.round(median * (0.66 + 1.34 * chance ** 3))
  const status = method === 'POST' ? 201 : 200
  return { status, type: 'application/json; charset=utf-8', body: JSON.stringify(content), delay }
}

const notFound = (question: ShopQuestion) => ({
  ...json(question, 60, { error: 'There is no such product.' }),
  status: 404,
})
