import { isIP } from 'node:net'

/** The relying party of passkeys: the site of the console. */
export interface Site {
  origin: string
  host: string
}

/** `origin`: the public address of this installation, as the browser sees it. */
export const siteOf = (origin: string): Site => ({ origin, host: new URL(origin).hostname })

/** Browsers refuse passkeys at IP addresses and without HTTPS, except at localhost. */
export function takesPasskeys({ origin, host }: Site): boolean {
  if (isIP(host.replace(/^\[|\]$/g, '')) !== 0) return false
  return origin.startsWith('https:') || host === 'localhost' || host.endsWith('.localhost')
}
