// The first script of every page: records what the page does before anything else looks at it. Every record leaves at once as a
// beacon, because a page that is left has no time for more; browsers keep beacons out of the lists of requests.
;(() => {
  const load = String(performance.timeOrigin)
  window.record = (kind, fields = {}) =>
    navigator.sendBeacon('/record', JSON.stringify({ kind, load, path: location.pathname, ...fields }))

  const request = (method, address, { status, aborted = false }) => {
    const { origin, pathname } = new URL(address, document.baseURI)
    if (origin === location.origin) record('request', { method, path: pathname, status, aborted })
  }
  const originalFetch = window.fetch
  window.fetch = (input, init) => {
    const { url = input, method = 'GET' } = Object(input)
    const answer = originalFetch(input, init)
    answer.then(
      ({ status }) => request(init?.method ?? method, url, { status }),
      ({ name }) => request(init?.method ?? method, url, { status: 0, aborted: name === 'AbortError' }),
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
    this.addEventListener('loadend', () => request(method, url, { status: this.status }))
    return send.apply(this, args)
  }
  const thrown = ({ message }) => record('error', { message, handled: false })
  addEventListener('error', ({ error }) => error && thrown(error))
  addEventListener('unhandledrejection', ({ reason }) => thrown(reason))
  addEventListener('click', ({ isTrusted }) => isTrusted && record('action'), true)
})()
