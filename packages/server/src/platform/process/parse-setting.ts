// Parsers of settings: each returns the value, or throws an Error that says what the text must be.

import { parseUrl } from '@telltale/core/parse-url'
import ipaddr from 'ipaddr.js'

export function text(value: string): string {
  if (value.trim() === '') throw new Error('must not be empty')
  return value.trim()
}

export function secret(value: string): string {
  if (value.length < 16) throw new Error('must have at least 16 characters')
  return value
}

export function wholeNumber(least: number, most: number) {
  return (value: string): number => {
    const number = Number(value)
    if (!/^\d+$/.test(value) || number < least || number > most) {
      throw new Error(`must be a whole number from ${least} to ${most}, not "${value}"`)
    }
    return number
  }
}

export function oneOf<const Choice extends string>(...choices: Choice[]) {
  return (value: string): Choice => {
    const choice = choices.find((candidate) => candidate === value)
    if (choice === undefined) throw new Error(`must be one of ${choices.join(', ')}, not "${value}"`)
    return choice
  }
}

export function url(...protocols: string[]) {
  return (value: string): string => {
    // The value may contain a password, so the message never includes it.
    const parsed = parseUrl(value)
    if (parsed === undefined || !protocols.includes(parsed.protocol)) {
      throw new Error(`must be a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`)
    }
    return value
  }
}

export function publicUrl(value: string): URL {
  const address = new URL(url('http:', 'https:')(value))
  if (address.pathname !== '/' || address.search || address.hash || address.username) {
    throw new Error('must be an origin only, such as https://telltale.example.com')
  }
  return address
}

export function networks(value: string): string[] {
  const entries = value.split(',').map((entry) => entry.trim())
  return entries
    .filter((entry) => entry !== '')
    .map((entry) => {
      if (!ipaddr.isValid(entry) && !ipaddr.isValidCIDR(entry))
        throw new Error(`"${entry}" is not a valid address or network`)
      return entry
    })
}
