// Segments of LaunchDarkly. One may refer to others, which is not possible here, so those are written out in it.

import type { LaunchDarklySegment } from '../../contract/launchdarkly.ts'
import { NotCarried, type Notes, tryCarry } from '../notes.ts'
import { all, any, isIn, none, share, type Term } from '../terms.ts'
import { attributeOf, clauseTerm } from './clauses.ts'

type SegmentRule = NonNullable<LaunchDarklySegment['rules']>[number]

interface SegmentScope {
  key: string
  segments: ReadonlyMap<string, LaunchDarklySegment>
  notes: Notes
  /** The segments that are being written out. */
  path: readonly string[]
}

export function segmentTerm(segment: LaunchDarklySegment, scope: SegmentScope): Term {
  const { included, includedContexts, excluded, excludedContexts, rules } = segment
  if (segment.unbounded === true) throw new NotCarried('segment', `big segment ${scope.key}`)
  const terms = (rules ?? []).map((rule, index) => {
    const what = `Segment rule ${index + 1}`
    return tryCarry(scope.notes, what, () => ruleTerm(rule, scope)) ?? false
  })
  const isExcluded = keysTerm(excluded, excludedContexts)
  return any([keysTerm(included, includedContexts), all([none([isExcluded]), any(terms)])])
}

function keysTerm(
  keys: LaunchDarklySegment['included'],
  byKind: LaunchDarklySegment['includedContexts'],
): Term {
  const others = (byKind ?? []).map(({ contextKind, values }) =>
    isIn(attributeOf('key', contextKind), values),
  )
  return any([isIn('targetingKey', keys ?? []), ...others])
}

function ruleTerm(rule: SegmentRule, scope: SegmentScope): Term {
  const terms = rule.clauses.map((clause) =>
    clauseTerm(clause, { notes: scope.notes, inSegment: (key) => nestedTerm(key, scope) }),
  )
  const { weight, bucketBy, rolloutContextKind } = rule
  if (typeof weight !== 'number') return all(terms)
  scope.notes.add('percentage', `${weight / 1000}% of segment ${scope.key}`)
  const attribute = attributeOf(bucketBy || 'key', rolloutContextKind)
  return all([...terms, share(attribute, weight, scope.key)])
}

function nestedTerm(key: string, scope: SegmentScope): Term {
  if (scope.path.includes(key)) throw new NotCarried('malformed', `segment ${key} contains itself`)
  const segment = scope.segments.get(key)
  if (segment === undefined) return false
  return segmentTerm(segment, { ...scope, key, path: [...scope.path, key] })
}
