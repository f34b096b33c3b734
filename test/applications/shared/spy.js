// The first script of every page: records what the page does before anything else looks at it. Every record leaves at once as a
// beacon, because a page that is left has no time for more; browsers keep beacons out of the lists of requests.
;(() => {
  const load = String(performance.timeOrigin)
  // Beacons of a page arrive in any order.
  let order = 0
  window.record = (kind, fields = {}) =>
    navigator.sendBeacon(
      '/record',
      JSON.stringify({ kind, load, order: order++, path: location.pathname, ...fields }),
    )

  const request = (method, address, { status, aborted = false }) => {
    const { origin, pathname } = new URL(address, document.baseURI)
    if (origin === location.origin) record('request', { method, path: pathname, status, aborted })
  }
  const underWay = new Set()
  const once = (tell) => {
    const told = (outcome) => underWay.delete(told) && tell(outcome)
    return told
  }
  // Browsers reject what is under way when a page is left: before the page hears of it, afterwards, or not at all. Until the next
  // page is there, an answer may still arrive.
  let isLeaving = false
  addEventListener('beforeunload', () => {
    isLeaving = true
  })
  addEventListener('pagehide', () => {
    for (const told of underWay) told({ status: 0, aborted: true })
  })
  const originalFetch = window.fetch
  window.fetch = (input, init) => {
    const { url = input, method = 'GET' } = Object(input)
    const answer = originalFetch(input, init)
    const told = once((outcome) => request(init?.method ?? method, url, outcome))
    // What replay and profiling fetch once more is no request of the application. Nothing else here asks for it in this way.
    if (init?.cache === 'force-cache') return answer
    underWay.add(told)
    answer.then(
      ({ status }) => told({ status }),
      ({ name }) => told({ status: 0, aborted: isLeaving || name === 'AbortError' }),
    )
    return answer
  }
  const { open, send } = XMLHttpRequest.prototype
  const opened = new WeakMap()
  XMLHttpRequest.prototype.open = function (...args) {
    opened.set(this, args)
    return open.apply(this, args)
  }
  XMLHttpRequest.prototype.send = function (...args) {
    const [method, url] = opened.get(this)
    const told = once((outcome) => request(method, url, outcome))
    underWay.add(told)
    this.addEventListener('loadend', () => told({ status: this.status, aborted: isLeaving && !this.status }))
    return send.apply(this, args)
  }
  const thrown = ({ message }) => record('error', { message, handled: false })
  addEventListener('error', ({ error }) => error && thrown(error))
  addEventListener('unhandledrejection', ({ reason }) => thrown(reason))
  addEventListener('click', ({ isTrusted }) => isTrusted && record('action'), true)
})()
