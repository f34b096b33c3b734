// The client address for requests that bypass Fastify, by the same rule: the last address that is not a trusted
// proxy.

import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'

type Network = ReturnType<typeof ipaddr.parseCIDR>

export function createClientAddress(trusted: readonly string[]): (request: IncomingMessage) => string {
  const networks = trusted.map(toNetwork)
  const isTrusted = (address: string) => {
    if (!ipaddr.isValid(address)) return false
    const parsed = ipaddr.process(address)
    return networks.some(([base, bits]) => base.kind() === parsed.kind() && parsed.match([base, bits]))
  }

  return ({ socket, headers }) => {
    let address = socket.remoteAddress ?? ''
    const forwarded = headers['x-forwarded-for']
    if (networks.length === 0 || forwarded === undefined) return address
    const named = String(forwarded)
      .split(',')
      .map((each) => each.trim())
    while (isTrusted(address)) {
      const next = named.pop()
      if (next === undefined) break
      address = next
    }
    return address
  }
}

function toNetwork(entry: string): Network {
  if (ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry)
  const address = ipaddr.process(entry)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}
