// What the request of a browser says of it, as attributes of the evaluation context: with the same names and values as in
// telemetry, so that a rule matches the users that telemetry counts.

import type { RequestAttributes } from '../../release/delivery/delivery.ts'
import { readBrowser } from './browsers.ts'
import type { Countries } from './countries.ts'

/** What is unknown is not set. */
export function createRequestAttributes(countryOf: Countries): RequestAttributes {
  return ({ header, address }) => {
    const { browser, device } = readBrowser({
      userAgent: header('user-agent'),
      brands: header('sec-ch-ua'),
      platform: header('sec-ch-ua-platform'),
      mobile: header('sec-ch-ua-mobile'),
    })
    const known = { browser, device, country: countryOf(address()) }
    return Object.fromEntries(
      Object.entries(known).flatMap(([name, value]) => (value === '' ? [] : [[`request.${name}`, value]])),
    )
  }
}
