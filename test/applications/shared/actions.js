// What the buttons of all three applications do. Each says on the root element that it is done.

const actions = {
  stock: () => fetch('/api/stock'),
  order: () => fetch('/api/orders', { method: 'POST', body: '{}' }),
  coupon: () => fetch('/api/coupon'),
  pay: () =>
    new Promise((resolve) => {
      const request = new XMLHttpRequest()
      request.open('POST', '/api/pay')
      request.addEventListener('loadend', resolve)
      request.send('{}')
    }),
  // The server hangs up. Browsers would try a GET once more by themselves.
  lost: () => fetch('/api/lost', { method: 'POST' }).catch(() => undefined),
  cancel() {
    const canceller = new AbortController()
    setTimeout(() => canceller.abort(), 30)
    return fetch('/api/never', { signal: canceller.signal }).catch(() => undefined)
  },
  never() {
    void fetch('/api/never')
  },
  picture: () => load('img', '/files/missing.png'),
  script: () => load('script', '/files/missing.js'),
  work() {
    const until = performance.now() + 120
    while (performance.now() < until);
  },
  shift() {
    // Input excuses shifts for half a second.
    return new Promise((resolve) => {
      setTimeout(() => {
        const late = document.createElement('div')
        late.style.height = '80px'
        document.body.prepend(late)
        requestAnimationFrame(() => setTimeout(resolve, 50))
      }, 600)
    })
  },
  throw() {
    setTimeout(() => {
      throw new TypeError('the cart is not a cart')
    })
  },
  reject() {
    void Promise.reject(new RangeError('no such shelf'))
  },
  caught(app) {
    const error = new Error('the voucher cannot be read')
    record('error', { message: error.message, handled: true })
    app.reportError(error)
  },
  track(app) {
    record('custom', { name: 'wish' })
    app.track('wish', { value: 2 })
  },
  'sign-in': (app) => app.setContext({ targetingKey: `user-${visit}` }),
}

/** Which visit of the script this is. */
export const visit = globalThis.document && /visit=([^;]+)/.exec(document.cookie)?.[1]

/** What the page read of a flag. A variation that was drawn counts for each unit. */
export function recordRead(flag, { variant, metadata }) {
  if (!variant) return
  const unit = metadata?.split === undefined ? '' : metadata.contextId
  record('read', { flag, variant, unit })
}

export function startActions(app) {
  const { dataset } = document.documentElement
  const failed = () => undefined
  const run = async (action) => {
    await Promise.resolve(action(app)).catch(failed)
    dataset.done = `${Number(dataset.done ?? 0) + 1}`
  }
  document.addEventListener('click', ({ target }) => {
    const action = actions[target.closest('[data-do]')?.dataset.do]
    if (action) void run(action)
  })
}

export function startVitals({ onCLS, onFCP, onINP, onLCP, onTTFB }) {
  const told = ({ name, value, id }) => record('vital', { name, value, id })
  for (const on of [onCLS, onFCP, onLCP, onTTFB]) on(told)
  // The shortest that browsers tell. What waits for an idle moment when the page is hidden is added after the last report, and
  // told only where every change is: web-vitals reports first, because it began to listen first.
  onINP(told, { durationThreshold: 16, reportAllChanges: true })
}

function load(tag, src) {
  return new Promise((resolve) => {
    const element = document.createElement(tag)
    element.addEventListener('error', resolve)
    element.src = src
    record('file')
    document.body.append(element)
  })
}
