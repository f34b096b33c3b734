import type { Call, Method } from './call.ts'

type Addresses = Record<string, Record<string, { method: Method; path: string }>>

/** The table of calls without its schemas: what a client needs that leaves the checks to the server. */
export function addressesOf(calls: Readonly<Record<string, Readonly<Record<string, Call>>>>): Addresses {
  return Object.fromEntries(
    Object.entries(calls).map(([group, those]) => [
      group,
      Object.fromEntries(Object.entries(those).map(([name, { method, path }]) => [name, { method, path }])),
    ]),
  )
}
