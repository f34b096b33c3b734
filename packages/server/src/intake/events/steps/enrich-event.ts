import { readAddress } from '@telltale/core/telemetry/address'
import { errorGroup } from '@telltale/core/telemetry/error-group'
import type { Step } from './step.ts'

/** Requests of the application, and those that its servers answered; the others load parts of its pages. */
const requestTypes = new Set(['fetch', 'xhr', 'xmlhttprequest', 'beacon', 'server'])

/** `GET https://api.example/orders/17` as `GET api.example /orders/:id`; the method may be missing. */
function endpointOf(request: string, routeOf: (path: string) => string): string {
  const [, method = '', url = request] = /^([A-Za-z]{1,20}) (\S+)$/.exec(request) ?? []
  const { host, path } = readAddress(url)
  return [method.toUpperCase(), host, routeOf(path)].filter((part) => part !== '').join(' ')
}

/**
 * Derives what the event does not contain: the route of a request, and the fingerprint that groups errors into
 * issues.
 */
export const enrichEvent: Step = ({ event, derived }, { origin, boundName, routeOf, scrub }) => {
  const { environmentId } = origin
  switch (event.kind) {
    case 'resource': {
      const address = readAddress(event.url)
      derived.host = address.host
      const endpoint =
        event.endpoint ?? (requestTypes.has(event.type) ? routeOf(scrub.hide(address.path)) : '')
      derived.endpoint = endpoint === '' ? '' : boundName(environmentId, 'endpoint', endpoint)
      event.url = scrub.hide(address.kept)
      event.type = boundName(environmentId, 'type', event.type)
      break
    }
    case 'error': {
      const { type = 'Error', message, stack = '' } = event
      if (event.request) {
        const endpoint = endpointOf(event.request, (path) => routeOf(scrub.hide(path)))
        event.request = boundName(environmentId, 'endpoint', endpoint)
      }
      const given = { environment: environmentId, type, message, stack }
      derived.group = errorGroup({
        ...given,
        fingerprint: event.fingerprint,
        request: event.request ?? undefined,
      })
      event.type = boundName(environmentId, 'type', type)
      break
    }
    case 'action':
    case 'custom':
      event.name = boundName(environmentId, 'name', event.name)
      break
  }
  return undefined
}
