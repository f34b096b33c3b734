// Versions as PostHog compares them: by their three numbers, without prereleases. `x-0` is the lowest prerelease of x, so
// all versions with the numbers of x are from `x-0` to the next patch's.

import { NotCarried, type Notes } from '../notes.ts'
import { all, none, type Term } from '../terms.ts'

type Release = readonly [major: number, minor: number, patch: number]

interface Compared {
  attribute: string
  value: string
  notes: Notes
}

export function versionTerm(operator: string, { attribute, value, notes }: Compared): Term {
  const from = (release: Release): Term => ({
    attribute,
    operator: 'semver-greater-or-equal',
    value: `${release.join('.')}-0`,
  })
  const below = (release: Release): Term => ({
    attribute,
    operator: 'semver-less',
    value: `${release.join('.')}-0`,
  })
  const build = (): Term => {
    const [major, minor, patch] = releaseOf(value)
    const itself: Release = [major, minor, patch]
    const next: Release = [major, minor, patch + 1]
    switch (operator) {
      case 'semver_eq':
        return all([from(itself), below(next)])
      case 'semver_neq':
        return none([all([from(itself), below(next)])])
      case 'semver_gt':
        return from(next)
      case 'semver_gte':
        return from(itself)
      case 'semver_lt':
        return below(itself)
      case 'semver_lte':
        return below(next)
      case 'semver_tilde':
        return all([from(itself), below([major, minor + 1, 0])])
      case 'semver_caret':
        return all([from(itself), below(caretEnd(itself))])
      default:
        throw new NotCarried('operator', `${attribute} ${operator} ${value}`)
    }
  }
  const term = operator === 'semver_wildcard' ? wildcardTerm(value, { from, below }) : build()
  notes.add('partial-versions', `${attribute} ${operator}`)
  return term
}

function releaseOf(value: string): Release {
  const found = /^[vV]?(\d+)(?:\.(\d*))?(?:\.(\d*))?(?:[.+-].*)?$/.exec(value.trim())
  if (found === null) throw new NotCarried('operator', `version ${value}`)
  const [, major, minor, patch] = found
  return [Number(major), Number(minor || 0), Number(patch || 0)]
}

function caretEnd([major, minor, patch]: Release): Release {
  if (major > 0) return [major + 1, 0, 0]
  return minor > 0 ? [0, minor + 1, 0] : [0, 0, patch + 1]
}

interface Bounds {
  from(release: Release): Term
  below(release: Release): Term
}

/** `1.*` or `1.2.*`. */
function wildcardTerm(value: string, { from, below }: Bounds): Term {
  const found = /^[vV]?(\d+)(?:\.(\d+))?(?:\.\d+)*\.?\*?$/.exec(value.trim())
  if (found === null) throw new NotCarried('operator', `version ${value}`)
  const major = Number(found[1])
  if (found[2] === undefined) return all([from([major, 0, 0]), below([major + 1, 0, 0])])
  const minor = Number(found[2])
  return all([from([major, minor, 0]), below([major, minor + 1, 0])])
}
