// The current location in the shop: the path below /demo, and its route template.

import { useSyncExternalStore } from 'react'

const base = '/demo'
const changed = 'shop-route'

export const addressOf = (path: string) => (path === '/' ? base : base + path)

export function pathOf(pathname: string): string {
  const path = pathname.startsWith(base) ? pathname.slice(base.length) : pathname
  return path === '' ? '/' : path.replace(/(.)\/$/, '$1')
}

export function pageOf(pathname: string): string {
  return pathOf(pathname)
    .replace(/^\/c\/[^/]+$/, '/c/:category')
    .replace(/^\/p\/[^/]+$/, '/p/:product')
}

export function go(path: string): void {
  history.pushState(null, '', addressOf(path))
  scrollTo(0, 0)
  dispatchEvent(new Event(changed))
}

function follow(listener: () => void): () => void {
  addEventListener('popstate', listener)
  addEventListener(changed, listener)
  return () => {
    removeEventListener('popstate', listener)
    removeEventListener(changed, listener)
  }
}

/** The path and the query string. */
export const useAddress = () =>
  useSyncExternalStore(follow, () => pathOf(location.pathname) + location.search)
