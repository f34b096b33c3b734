// Semantic Versioning 2.0.0 precedence, strict: no `v`, no missing parts; build metadata is ignored.

import { limits } from '../limits.ts'

export interface Version {
  /** Major, minor and patch as digits, because they may exceed the safe integers. */
  release: readonly string[]
  prerelease: readonly string[]
}

const number = '(?:0|[1-9]\\d*)'
const identifier = `(?:${number}|\\d*[a-zA-Z-][0-9a-zA-Z-]*)`
const build = '(?:\\+[0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*)?'
const shape = new RegExp(
  `^(${number})\\.(${number})\\.(${number})(?:-(${identifier}(?:\\.${identifier})*))?${build}$`,
)

export function parseVersion(text: string): Version | undefined {
  const parts = text.length <= limits.versionLength ? shape.exec(text) : null
  if (parts === null) return undefined
  const [, major = '', minor = '', patch = '', prerelease] = parts
  return { release: [major, minor, patch], prerelease: prerelease?.split('.') ?? [] }
}

/** Below zero when `left` has lower precedence, zero when both have the same. */
export function compareVersions(left: Version, right: Version): number {
  return compareLists(left.release, right.release) || comparePrereleases(left.prerelease, right.prerelease)
}

function comparePrereleases(left: readonly string[], right: readonly string[]): number {
  // A version without a prerelease has higher precedence than its prereleases.
  if (left.length === 0 || right.length === 0) return right.length - left.length
  return compareLists(left, right)
}

function compareLists(left: readonly string[], right: readonly string[]): number {
  for (const [index, part] of left.entries()) {
    const other = right[index]
    if (other === undefined) return 1
    const order = compareIdentifiers(part, other)
    if (order !== 0) return order
  }
  return left.length - right.length
}

const digits = /^\d+$/

function compareIdentifiers(left: string, right: string): number {
  const [isNumber, isOtherNumber] = [digits.test(left), digits.test(right)]
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1
  if (isNumber && left.length !== right.length) return left.length - right.length
  return left === right ? 0 : left < right ? -1 : 1
}
