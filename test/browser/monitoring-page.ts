// A page with everything that monitoring looks at, and spies in it that see the same without the library.

export interface Seen {
  requests: number
  failed: number
  errors: string[]
  clicks: number
}

declare global {
  var seen: Seen
  var app: import('@telltale/browser/options').Telltale
}

export interface PageOptions {
  /** Of the server that hands out the library. */
  url: string
  key: string
  /** Source of the options of `init`, beside the key. */
  options?: string
  /** Runs before the library. */
  before?: string
}

/** The spies stand before the library and count what the page does, not what the library makes of it. */
export function shopPage({ url, key, options = '', before = '' }: PageOptions): string {
  return `<!doctype html><html><head><title>Shop</title>
<style>
  body { font: 20px sans-serif }
  button { display: block; margin: 8px; padding: 8px }
</style>
<script>
  window.seen = { requests: 0, failed: 0, errors: [], clicks: 0 }
  addEventListener('error', ({ error }) => error && seen.errors.push(error.stack))
  addEventListener('unhandledrejection', ({ reason }) => seen.errors.push(reason.stack))
  addEventListener('click', () => seen.clicks++, true)
  const request = (path, options) => {
    seen.requests++
    return fetch(path, options).then((answer) => {
      if (!answer.ok) seen.failed++
      return answer.text()
    })
  }
</script>
${before ? `<script>${before}</script>` : ''}
<script src="${url}/sdk/v1/telltale.js"></script>
<script>window.app = telltale.init({ key: '${key}', ${options} })</script>
</head><body>
<h1 id="heading">Everything for the road</h1>
<form><label>Secret <input id="secret" name="secret"></label></form>
<button id="cart">Open cart</button>
<button id="slow">Slow work</button>
<button id="fail">Break it</button>
<button id="reject">Reject it</button>
<button id="ask">Ask the server</button>
<button id="missing">Ask for what is missing</button>
<button id="dead">Nothing happens</button>
<p id="out"></p>
<script>
  const out = document.getElementById('out')
  const on = (id, run) => document.getElementById(id).addEventListener('click', run)
  addEventListener('load', () => setTimeout(() => {
    const late = document.createElement('div')
    late.style.height = '90px'
    document.body.prepend(late)
  }, 50))
  on('cart', () => {
    history.pushState({}, '', '/cart/42')
    document.getElementById('heading').textContent = 'Your cart holds a bicycle and two pedals'
  })
  function workSlowly() {
    const until = performance.now() + 180
    while (performance.now() < until);
    out.textContent = 'done'
  }
  on('slow', workSlowly)
  on('fail', () => { throw new TypeError('the cart is not a cart') })
  on('reject', () => { Promise.reject(new RangeError('no such page')) })
  on('ask', async () => { out.textContent = await request('/api/stock?article=typed-by-somebody') })
  on('missing', async () => { out.textContent = await request('/api/missing', { method: 'POST' }) })
</script>
</body></html>`
}
