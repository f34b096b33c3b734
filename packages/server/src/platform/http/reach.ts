// Checks the addresses that may be contacted. Names are resolved here, every address is checked, and the
// connection uses one of the checked addresses, so that a name cannot be rebound afterwards. Private networks
// only if allowed.

import { lookup } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

export interface Resolved {
  address: string
  family: 4 | 6
}

/** Every address of a name. */
export type Resolve = (host: string) => Promise<Resolved[]>

export const resolveBySystem: Resolve = async (host) => {
  const found = await lookup(host, { all: true, verbatim: true })
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
}

/** An address that must not be contacted. */
class Unreachable extends Error {}

/** All checked addresses of a host. Throws `Unreachable` if one of them must not be contacted. */
export async function reach(
  hostname: string,
  { networks, resolve }: { networks: readonly string[]; resolve: Resolve },
): Promise<Resolved[]> {
  const host = withoutBrackets(hostname)
  const found: Resolved[] = isLocalName(host)
    ? [{ address: '127.0.0.1', family: 4 }]
    : ipaddr.isValid(host)
      ? [{ address: host, family: ipaddr.parse(host).kind() === 'ipv6' ? 6 : 4 }]
      : await resolve(host)
  if (found.length === 0) throw new Unreachable(`${host} has no address`)
  const refused = found.find(({ address }) => !isAllowed(address, networks))
  if (refused !== undefined) {
    const subject = refused.address === host ? host : `${host} leads to ${refused.address}, which`
    throw new Unreachable(
      `${subject} is in a private or reserved network. TELLTALE_WEBHOOK_NETWORKS can allow it for the whole installation.`,
    )
  }
  return found
}

/** Returns these addresses for any name. */
export function onlyTo(addresses: readonly Resolved[]): LookupFunction {
  return (_host, { all }, done) => {
    const [first] = addresses
    if (all === true) done(null, [...addresses])
    else if (first === undefined) done(new Error('no address'), '', 4)
    else done(null, first.address, first.family)
  }
}

/** Why an IP address in a URL will be refused; undefined for a name, which is resolved when it is needed. */
export function refuseLiteral(hostname: string, networks: readonly string[]): string | undefined {
  const host = withoutBrackets(hostname)
  if (isLocalName(host)) {
    return isAllowed('127.0.0.1', networks) ? undefined : 'points to this machine, which is not allowed'
  }
  if (!ipaddr.isValid(host) || isAllowed(host, networks)) return undefined
  return 'is in a private or reserved network, which is not allowed (TELLTALE_WEBHOOK_NETWORKS)'
}

/** Public addresses, and those of the networks that the installation allows. */
export function isAllowed(address: string, networks: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false
  const ip = plain(ipaddr.parse(address))
  return isPublic(ip) || networks.some((network) => isIn(ip, network))
}

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Converts an IPv4-mapped IPv6 address to IPv4. */
function plain(ip: Address): Address {
  return ip instanceof ipaddr.IPv6 && ip.isIPv4MappedAddress() ? ip.toIPv4Address() : ip
}

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

function isPublic(ip: Address): boolean {
  if (ip.range() !== 'unicast') return false
  // All other IPv6 addresses are local, translated or unassigned.
  return ip instanceof ipaddr.IPv4 || ip.match(globalUnicast)
}

function isIn(ip: Address, network: string): boolean {
  const [base, bits] = ipaddr.isValidCIDR(network)
    ? ipaddr.parseCIDR(network)
    : [ipaddr.parse(network), ipaddr.parse(network).kind() === 'ipv6' ? 128 : 32]
  const of = plain(base)
  if (ip instanceof ipaddr.IPv4 && of instanceof ipaddr.IPv4) return ip.match([of, bits])
  return ip instanceof ipaddr.IPv6 && of instanceof ipaddr.IPv6 && ip.match([of, bits])
}

/** This machine, by name or address. */
export function isLocal(hostname: string): boolean {
  const host = withoutBrackets(hostname)
  return isLocalName(host) || (ipaddr.isValid(host) && plain(ipaddr.parse(host)).range() === 'loopback')
}

const isLocalName = (host: string) => host === 'localhost' || host.endsWith('.localhost')
const withoutBrackets = (hostname: string) => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
