// The work of the shop's scripts on each page, as stacks of functions from its code, depending on the flags: the new
// gallery formats the date of every photo, one-page checkout renders all three parts at once.

/** The source and the first code of the function; built-in functions have only a name. */
export type CodeLocation = readonly [source: string, code: string] | readonly [name: string]

/** When it runs: with the view, after the API response, or on user input. */
export type Moment = 'render' | 'answer' | 'click'

export interface Work {
  moment: Moment
  /** Outermost first. */
  stack: readonly CodeLocation[]
  /** Self time of the innermost function in milliseconds, on an average machine. */
  ms: number
}

const [dom, scheduler] = ['react-dom-client.production.js', 'scheduler.production.js']
const react = (name: string): CodeLocation => [dom, `function ${name}(`]

const task: readonly CodeLocation[] = [
  [scheduler, 'function performWorkUntilDeadline('],
  react('performWorkOnRootViaSchedulerTask'),
  react('performWorkOnRoot'),
]
const rendering: readonly CodeLocation[] = [
  ...task,
  react('renderRootSync'),
  react('workLoopSync'),
  react('performUnitOfWork'),
]
const component: readonly CodeLocation[] = [
  ...rendering,
  react('beginWork'),
  react('updateFunctionComponent'),
  react('renderWithHooks'),
]
const committing: readonly CodeLocation[] = [
  ...task,
  react('commitRoot'),
  react('flushMutationEffects'),
  react('commitMutationEffectsOnFiber'),
]
const effects: readonly CodeLocation[] = [
  ...task,
  react('flushPassiveEffects'),
  react('commitHookEffectListMount'),
]
const handling: readonly CodeLocation[] = [
  react('dispatchDiscreteEvent'),
  react('dispatchEvent'),
  react('batchedUpdates$1'),
]

const header: CodeLocation = ['parts/header.tsx', 'function Header(']
const link: CodeLocation = ['parts/link.tsx', 'function Link(']
const grid: CodeLocation = ['parts/product-grid.tsx', 'function ProductGrid(']
const price: CodeLocation = ['parts/price.ts', '(amount: number)']
const cart: CodeLocation = ['shop/cart.ts', 'function useCart(']
const ids: CodeLocation = ['shop/cart.ts', '(text: string)']
const ask: CodeLocation = ['shop/api.ts', 'async function ask<Answer>(']
const gallery: CodeLocation = ['parts/gallery.tsx', 'function Gallery(']
const picture: CodeLocation = ['parts/gallery.tsx', 'function Picture(']
const takenIn: CodeLocation = ['parts/gallery.tsx', 'function takenIn(']
const search: CodeLocation = ['pages/search-page.tsx', 'async function search(']
const checkout: CodeLocation = ['pages/checkout-page.tsx', 'function CheckoutPage(']
const part: CodeLocation = ['pages/checkout-page.tsx', 'function Part(']
const pageOf = (file: string, name: string): CodeLocation => [`pages/${file}.tsx`, `function ${name}(`]
const format: CodeLocation = ['format']

const render = (ms: number, ...inner: CodeLocation[]): Work => ({
  moment: 'render',
  ms,
  stack: [...component, ...inner],
})
const answered = (ms: number, ...inner: CodeLocation[]): Work => ({
  moment: 'answer',
  ms,
  stack: [...component, ...inner],
})

const everyPage: readonly Work[] = [
  { moment: 'render', ms: 9, stack: rendering },
  { moment: 'render', ms: 14, stack: [...rendering, react('completeWork')] },
  { moment: 'render', ms: 7, stack: [...rendering, react('beginWork')] },
  { moment: 'render', ms: 12, stack: [...committing, ['setAttribute']] },
  { moment: 'render', ms: 16, stack: [...committing, ['appendChild']] },
  { moment: 'render', ms: 6, stack: [...effects, ask, ['fetch']] },
  render(8, header),
  render(6, header, link),
  render(4, header, cart, ids, ['JSON.parse']),
  { moment: 'answer', ms: 9, stack: [['JSON.parse']] },
  { moment: 'answer', ms: 11, stack: [...committing, ['appendChild']] },
  { moment: 'click', ms: 6, stack: [...handling, ['parts/link.tsx', 'const follow = (event']] },
  { moment: 'click', ms: 9, stack: [...handling, ['shop/routes.ts', 'function go('], ['pushState']] },
  { moment: 'click', ms: 5, stack: [['(garbage collector)']] },
]

const listing: readonly Work[] = [
  answered(12, grid),
  answered(10, grid, link),
  answered(13, grid, price, format),
]

/** Further work of a page. `on`: the flags that are on there. */
export function workOf(page: string, on: { gallery: boolean; onePage: boolean; hybrid: boolean }): Work[] {
  switch (page) {
    case '/':
      return [...everyPage, render(9, pageOf('home-page', 'HomePage')), ...listing]
    case '/c/:category':
      return [
        ...everyPage,
        render(7, pageOf('category-page', 'CategoryPage')),
        ...listing,
        answered(14, grid),
      ]
    case '/p/:product':
      return [
        ...everyPage,
        render(12, pageOf('product-page', 'ProductPage')),
        render(6, pageOf('product-page', 'ProductPage'), price, format),
        ...(on.gallery
          ? [answered(11, gallery), answered(26, gallery, takenIn), answered(8, gallery, takenIn, format)]
          : [render(8, picture)]),
      ]
    case '/search':
      return [
        ...everyPage,
        render(7, pageOf('search-page', 'SearchPage')),
        { moment: 'answer', ms: on.hybrid ? 22 : 8, stack: [search, ['sort']] },
        ...listing,
      ]
    case '/cart':
      return [
        ...everyPage,
        render(11, pageOf('cart-page', 'CartPage')),
        render(9, pageOf('cart-page', 'CartPage'), cart),
        render(10, pageOf('cart-page', 'CartPage'), price, format),
      ]
    case '/checkout':
      return [
        ...everyPage,
        render(on.onePage ? 16 : 12, checkout),
        render(on.onePage ? 31 : 11, part),
        render(5, checkout, price, format),
        { moment: 'click', ms: on.onePage ? 4 : 15, stack: [...component, checkout] },
      ]
    default:
      return [...everyPage]
  }
}
