// Faults of a document that only show against the project: references to what is not there, and configurations that
// could not be evaluated. All entries are checked as they will be together, so their order does not matter.

import type { FlagConfigDraft } from '../contract/flag-config.ts'
import type { Fault } from '../errors.ts'
import { type CheckedFlag, checkConfig, checkSegment } from '../evaluation/check-config.ts'
import { findUnfollowed } from '../evaluation/prerequisites.ts'
import type { CodeState, CodeTarget, PlannedChange } from './compare-code.ts'
import { firstConfigOf } from './first-config.ts'

interface Checked {
  state: CodeState
  target: CodeTarget
  changes: readonly PlannedChange[]
  /** The keys of the environments. */
  environments: readonly string[]
}

export function checkCode(checked: Checked): Fault[] {
  return [
    ...checkSegments(checked),
    ...checkPlaces(checked),
    ...checkTemplates(checked),
    ...checked.environments.flatMap((env) => checkEnvironment(env, checked)),
  ]
}

export const pointerTo = (...parts: readonly string[]) =>
  parts.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

function checkSegments({ target, state, changes }: Checked): Fault[] {
  const faults = changes.flatMap(({ kind, key }) => {
    const segment = kind === 'segments' ? target.segments.get(key) : undefined
    if (segment === undefined) return []
    return checkSegment(segment.when).map((fault) => below(pointerTo('segments', key), fault))
  })
  const removed = removedOf('segments', changes)
  if (removed.size === 0) return faults
  const uses = [...state.flags].flatMap(([flag, { environments }]) =>
    Object.entries(environments).flatMap(([env, saved]) => {
      const config = target.flags.get(flag)?.environments[env] ?? saved
      return [...segmentsIn(config.rules)]
        .filter((key) => removed.has(key) && !target.flags.get(flag)?.environments[env])
        .map((key) => ({ pointer: '', message: `The segment "${key}" is used by "${flag}" in ${env}.` }))
    }),
  )
  return [...faults, ...uses]
}

function checkPlaces({ target, state, environments }: Checked): Fault[] {
  const known = new Set(environments)
  return [...target.flags].flatMap(([key, flag]) => {
    const saved = state.flags.get(key)
    const places = Object.keys(flag.environments).filter((env) => !known.has(env))
    return [
      ...places.map((env) => ({
        pointer: pointerTo('flags', key, 'environments', env),
        message: `There is no environment "${env}".`,
      })),
      ...(saved !== undefined && saved.valueType !== flag.valueType
        ? [{ pointer: pointerTo('flags', key, 'valueType'), message: `must stay ${saved.valueType}` }]
        : []),
    ]
  })
}

/** A rollout template that stays may use a metric that goes. */
function checkTemplates({ target, state, changes }: Checked): Fault[] {
  const removed = removedOf('metrics', changes)
  const withoutThem = removedOf('rolloutTemplates', changes)
  const left = new Map([...state.rolloutTemplates, ...target.rolloutTemplates])
  return [...left].flatMap(([key, { metrics }]) =>
    metrics
      .filter(({ metric }) => removed.has(metric) && !withoutThem.has(key))
      .map(({ metric }) => ({
        pointer: target.rolloutTemplates.has(key) ? pointerTo('rolloutTemplates', key, 'metrics') : '',
        message: `The metric "${metric}" is used by the rollout template "${key}".`,
      })),
  )
}

function checkEnvironment(env: string, checked: Checked): Fault[] {
  const { target, state, changes } = checked
  const drafts = new Map(
    changes.flatMap(({ key, env: at, draft }) => (at === env && draft !== undefined ? [[key, draft]] : [])),
  )
  const before = flagsIn(env, { state, target: undefined, drafts: new Map(), removed: new Set() })
  const after = flagsIn(env, { state, target, drafts, removed: removedOf('flags', changes) })
  const removed = removedOf('segments', changes)
  const segments = new Set(
    [...state.segments.keys(), ...target.segments.keys()].filter((key) => !removed.has(key)),
  )

  const ofDrafts = [...drafts].flatMap(([key, draft]) => {
    const flag = after.get(key)
    if (flag === undefined) return []
    const flags = withPrerequisites(key, after)
    const faults = checkConfig(draft, { flag, flags, segments })
    return faults.map((fault) => below(pointerTo('flags', key, 'environments', env), fault))
  })
  return [...ofDrafts, ...checkOthers(env, { before, after, drafts })]
}

type Flags = ReadonlyMap<string, CheckedFlag>

interface Placed {
  state: CodeState
  target: CodeTarget | undefined
  drafts: ReadonlyMap<string, FlagConfigDraft>
  removed: ReadonlySet<string>
}

/** The active flags with what they require in an environment. */
function flagsIn(env: string, { state, target, drafts, removed }: Placed): Map<string, CheckedFlag> {
  const found = new Map<string, CheckedFlag>()
  for (const [key, flag] of state.flags) {
    if (flag.isArchived && !target?.flags.has(key)) continue
    found.set(key, checkedFlag(key, flag.variations, flag.environments[env]))
  }
  for (const [key, flag] of target?.flags ?? []) {
    const saved = state.flags.get(key)?.environments[env]
    found.set(key, checkedFlag(key, flag.variations, drafts.get(key) ?? flag.environments[env] ?? saved))
  }
  for (const key of removed) found.delete(key)
  return found
}

function checkedFlag(
  key: string,
  given: readonly { key: string }[],
  config: FlagConfigDraft | undefined,
): CheckedFlag {
  const variations = given.map((one) => one.key)
  return { key, variations, prerequisites: (config ?? firstConfigOf(variations)).prerequisites }
}

/** A flag and all that it requires, so that a check does not walk through the whole project. */
function withPrerequisites(key: string, flags: Flags): Flags {
  const found = new Map<string, CheckedFlag>()
  const left = [key]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const flag = flags.get(next)
    if (flag === undefined || found.has(next)) continue
    found.set(next, flag)
    left.push(...flag.prerequisites.map((one) => one.flag))
  }
  return found
}

interface Others {
  before: Flags
  after: Flags
  drafts: ReadonlyMap<string, unknown>
}

/** What stays may require what goes, or become too deep. */
function checkOthers(env: string, { before, after, drafts }: Others): Fault[] {
  const faults = [...after.values()].flatMap(({ key, prerequisites }) => {
    if (drafts.has(key)) return []
    const wrong = prerequisites.find(
      ({ flag, variation }) => !after.get(flag)?.variations.includes(variation),
    )
    if (wrong === undefined) return []
    const message = `"${key}" in ${env} requires "${wrong.flag}" with "${wrong.variation}".`
    return [{ pointer: pointerTo('flags', wrong.flag), message }]
  })
  const prerequisitesOf = (flags: Flags) => (key: string) =>
    flags.get(key)?.prerequisites.map((one) => one.flag)
  const unfollowed = findUnfollowed(after.keys(), prerequisitesOf(after))
  if (unfollowed.size === 0) return faults
  const already = findUnfollowed(before.keys(), prerequisitesOf(before))
  const deep = [...unfollowed].filter((key) => !already.has(key) && !drafts.has(key))
  return [
    ...faults,
    ...deep.map((key) => ({
      pointer: pointerTo('flags', key),
      message: `The prerequisites of "${key}" in ${env} go too deep or form a cycle.`,
    })),
  ]
}

function removedOf(kind: PlannedChange['kind'], changes: readonly PlannedChange[]): Set<string> {
  return new Set(changes.filter((one) => one.kind === kind && one.action === 'remove').map(({ key }) => key))
}

function segmentsIn(value: unknown): Set<string> {
  const found = new Set<string>()
  const left = [value]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (typeof next !== 'object' || next === null) continue
    for (const [name, member] of Object.entries(next)) {
      if (name === 'segment' && typeof member === 'string') found.add(member)
      else left.push(member)
    }
  }
  return found
}

const below = (pointer: string, fault: Fault): Fault => ({
  pointer: `${pointer}${fault.pointer}`,
  message: fault.message,
})
