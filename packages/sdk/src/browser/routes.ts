// URL changes of the page without a reload.

import { listen } from './listen.ts'
import { replaceMethod } from './replace-method.ts'

export function watchRoutes(onRoute: () => void): void {
  for (const name of ['pushState', 'replaceState'] as const) {
    replaceMethod(history, name, (original) => {
      return function (this: History, ...args) {
        original.apply(this, args)
        onRoute()
      }
    })
  }
  listen(globalThis, 'popstate hashchange', onRoute)
  // Navigations that bypass `history`: links that the Navigation API intercepts.
  listen(globalThis.navigation, 'currententrychange', onRoute)
}
