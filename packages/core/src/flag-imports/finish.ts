// Checks converted definitions as if each were saved, and leaves out what a flag or segment here cannot hold. Nothing
// is left out in a way that serves more users: a flag whose prerequisites are incomplete is off.

import type { ConditionGroup } from '../contract/conditions.ts'
import type { FlagConfigDraft } from '../contract/flag-config.ts'
import { type CheckedFlag, checkConfig, checkSegment } from '../evaluation/check-config.ts'
import { limits } from '../limits.ts'
import type { ImportedDefinitions, ImportedFlag, ImportedSegment } from './imported.ts'
import type { Report } from './notes.ts'

interface Unfinished {
  from: string | undefined
  flags: readonly ImportedFlag[]
  segments: readonly ImportedSegment[]
  report: Report
}

export function finishImport({ from, flags, segments, report }: Unfinished): ImportedDefinitions {
  const sound = segments.filter(({ source, when }) => {
    const [fault] = checkSegment(when)
    if (fault !== undefined) report.of({ segment: source }).add('limits', `Segment: ${fault.message}`)
    return fault === undefined
  })
  const keys = new Set(sound.map(({ key }) => key))
  const byKey = new Map(flags.map((flag) => [flag.key, checkedOf(flag)]))
  const finished = flags.flatMap((flag) => {
    const checked = finishFlag(flag, { flags: byKey, segments: keys, report })
    return checked === undefined ? [] : [checked]
  })
  // A flag that was left out may be the prerequisite of others.
  const left = new Map(finished.map((flag) => [flag.key, checkedOf(flag)]))
  const whole = finished.map((flag) => withPrerequisites(flag, left, report))
  return { from, flags: whole, segments: sound, notes: report.notes }
}

interface Scope {
  flags: ReadonlyMap<string, CheckedFlag>
  segments: ReadonlySet<string>
  report: Report
}

function checkedOf({ key, variations, config }: ImportedFlag): CheckedFlag {
  return { key, variations: variations.map((each) => each.key), prerequisites: config.prerequisites }
}

function finishFlag(flag: ImportedFlag, { flags, segments, report }: Scope): ImportedFlag | undefined {
  const notes = report.of({ flag: flag.source })
  const problem = whatIsTooLarge(flag)
  if (problem !== undefined) {
    notes.add('limits', problem)
    return undefined
  }
  const faultOf = (config: FlagConfigDraft) =>
    checkConfig({ ...config, prerequisites: [] }, { flag: checkedOf(flag), flags, segments })[0]

  const plain: FlagConfigDraft = { ...flag.config, rules: [] }
  const first = faultOf(plain)
  if (first !== undefined) {
    notes.add('malformed', first.message)
    return undefined
  }
  const rules = flag.config.rules.filter((rule, index) => {
    const missing = segmentsIn(rule.when).find((key) => !segments.has(key))
    if (missing !== undefined) notes.add('segment', `Rule ${index + 1}: ${missing}`)
    const fault = missing === undefined ? faultOf({ ...plain, rules: [rule] }) : undefined
    if (fault !== undefined) notes.add('limits', `Rule ${index + 1}: ${fault.message}`)
    return missing === undefined && fault === undefined
  })
  if (rules.length > limits.rulesPerFlag) {
    notes.add('limits', `${rules.length} rules; a flag has at most ${limits.rulesPerFlag}. The flag is off.`)
    return { ...flag, config: { ...plain, enabled: false } }
  }
  const whole = { ...flag.config, rules }
  const last = faultOf(whole)
  if (last === undefined) return { ...flag, config: whole }
  notes.add('limits', `${last.message} The flag is off.`)
  return { ...flag, config: { ...plain, enabled: false } }
}

function whatIsTooLarge({ variations }: ImportedFlag): string | undefined {
  if (variations.length > limits.variationsPerFlag) {
    return `${variations.length} variations; a flag has at most ${limits.variationsPerFlag}.`
  }
  // Each character has at most three bytes.
  const large = variations.find(({ value }) => JSON.stringify(value).length * 3 > limits.flagValueSize)
  return large === undefined ? undefined : `The value of ${large.key} is too large.`
}

function withPrerequisites(
  flag: ImportedFlag,
  flags: ReadonlyMap<string, CheckedFlag>,
  report: Report,
): ImportedFlag {
  const [fault] = checkConfig(
    { ...flag.config, rules: [] },
    { flag: checkedOf(flag), flags, segments: new Set() },
  )
  if (fault === undefined) return flag
  report.of({ flag: flag.source }).add('dependency', fault.message)
  return { ...flag, config: { ...flag.config, prerequisites: [], enabled: false } }
}

function segmentsIn(group: ConditionGroup): string[] {
  return group.of.flatMap((part) => {
    if ('match' in part) return segmentsIn(part)
    return 'segment' in part ? [part.segment] : []
  })
}
