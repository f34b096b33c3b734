// Refetches a resource of the page for a replay or a profile. Not counted as a request of the application.

import type { Server } from './send.ts'

export function fetchApart(
  { fetch, fetched }: Server,
  address: string,
  options: RequestInit = {},
): Promise<Response> {
  fetched.add(address)
  return fetch(address, { credentials: 'omit', cache: 'force-cache', ...options })
}
