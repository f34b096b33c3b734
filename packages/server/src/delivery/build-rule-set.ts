// Makes the rule set that requests are answered from. What did not change is taken over from the one before, compiled
// flags and the text of their answers included.

import { createHash } from 'node:crypto'
import { compileRuleSet, replaceInRuleSet } from '@telltale/core/evaluation/compile'
import type {
  CompiledFlag,
  Evaluation,
  EvaluationError,
  FlagDefinition,
  RuleSet,
} from '@telltale/core/evaluation/rule-set'
import type { RuleSetFlag, RuleSetSource } from './rule-set-file.ts'

export interface Answer {
  readonly errorCode: EvaluationError | undefined
  /** The whole answer in OFREP; with a value, all but the end that names the subject. */
  readonly bytes: Buffer
}

export interface ServedFlag {
  readonly key: string
  readonly version: number
  readonly clientVisible: boolean
  readonly compiled: CompiledFlag
  /** Each answer, once it was given. */
  readonly answers: Map<Evaluation, Answer>
}

export interface ServedRuleSet {
  /** Another one exactly when something changed. */
  readonly version: string
  readonly ruleSet: RuleSet
  /** In the order of their keys. */
  readonly flags: ReadonlyMap<string, ServedFlag>
  /** The whole of it, as server SDKs get it. */
  readonly text: string
  readonly changedAt: number
  /** The text of every flag and segment, to find what the next one changes. */
  readonly texts: ReadonlyMap<string, string>
}

export interface RuleSetChange {
  version: string
  /** Flags that may serve something else now. Nothing: any of them. */
  flags: ReadonlySet<string> | undefined
  /** Those of them that client keys know, or knew. */
  visible: ReadonlySet<string> | undefined
}

export function buildRuleSet(
  source: RuleSetSource,
  { previous, now }: { previous?: ServedRuleSet | undefined; now: number },
): { next: ServedRuleSet; change: RuleSetChange | undefined } {
  const texts = new Map<string, string>([
    ...source.flags.map((flag) => [`flag ${flag.key}`, JSON.stringify(flag)] as const),
    ...source.segments.map((segment) => [`segment ${segment.key}`, JSON.stringify(segment)] as const),
  ])
  const isNew =
    (kind: string) =>
    ({ key }: { key: string }) =>
      previous?.texts.get(`${kind} ${key}`) !== texts.get(`${kind} ${key}`)
  const removed = (kind: string, keys: Iterable<string> = []) =>
    [...keys].filter((key) => !texts.has(`${kind} ${key}`))

  const changedFlags = source.flags.filter(isNew('flag'))
  const changedSegments = source.segments.filter(isNew('segment'))
  const removedFlags = removed('flag', previous?.flags.keys())
  const removedSegments = removed('segment', previous?.ruleSet.segments.keys())
  const hasChanged =
    changedFlags.length + changedSegments.length + removedFlags.length + removedSegments.length > 0
  if (previous !== undefined && !hasChanged) return { next: previous, change: undefined }

  const ruleSet = replaceInRuleSet(previous?.ruleSet ?? compileRuleSet({ flags: [], segments: [] }), {
    flags: changedFlags.map(toDefinition),
    segments: changedSegments,
    removedFlags,
    removedSegments,
  })
  const flags = new Map(source.flags.map((flag) => [flag.key, servedFlag(flag, { ruleSet, previous })]))
  const version = versionOf(texts)
  const next = { version, ruleSet, flags, text: textOf(version, texts), changedAt: now, texts }
  if (previous === undefined) return { next, change: undefined }

  const hasNewSegments = changedSegments.length + removedSegments.length > 0
  const changed = new Set([...changedFlags.map(({ key }) => key), ...removedFlags])
  const affected = hasNewSegments ? undefined : withDependants(changed, ruleSet)
  const isVisible = (key: string) =>
    flags.get(key)?.clientVisible === true || previous.flags.get(key)?.clientVisible === true
  const visible = affected && new Set([...affected].filter(isVisible))
  return { next, change: { version, flags: affected, visible } }
}

function toDefinition({ version: _version, overrides, ...flag }: RuleSetFlag): FlagDefinition {
  return { ...flag, overrides: new Map(Object.entries(overrides)) }
}

function servedFlag(
  { key, version, clientVisible }: RuleSetFlag,
  { ruleSet, previous }: { ruleSet: RuleSet; previous: ServedRuleSet | undefined },
): ServedFlag {
  const compiled = ruleSet.flags.get(key)
  if (compiled === undefined) throw new Error(`The flag ${key} is missing from its rule set.`)
  const before = previous?.flags.get(key)
  return before?.compiled === compiled
    ? before
    : { key, version, clientVisible, compiled, answers: new Map() }
}

/** With the flags that stand on them, however far. */
function withDependants(changed: ReadonlySet<string>, ruleSet: RuleSet): Set<string> {
  const affected = new Set(changed)
  for (let before = -1; before < affected.size; ) {
    before = affected.size
    for (const [key, { definition }] of ruleSet.flags) {
      if (definition.config.prerequisites.some(({ flag }) => affected.has(flag))) affected.add(key)
    }
  }
  return affected
}

const versionLength = 22

function versionOf(texts: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256')
  for (const [name, text] of texts) hash.update(`${name}\n${text}\n`)
  return hash.digest('base64url').slice(0, versionLength)
}

function textOf(version: string, texts: ReadonlyMap<string, string>): string {
  const list = (kind: string) =>
    [...texts]
      .filter(([name]) => name.startsWith(`${kind} `))
      .map(([, text]) => text)
      .join(',')
  return `{"version":"${version}","flags":[${list('flag')}],"segments":[${list('segment')}]}`
}
