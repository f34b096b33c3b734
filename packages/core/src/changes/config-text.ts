// A configuration as lines of text, for diffs.

import type { Condition, ConditionGroup } from '../contract/conditions.ts'
import type { FlagConfigDraft } from '../contract/flag-config.ts'
import { isSegmentCondition, operatorWords, percentText, segmentWords, valueText } from './condition-words.ts'

type Rule = FlagConfigDraft['rules'][number]
type Serve = FlagConfigDraft['fallthrough']

const matchWords = { all: 'and', any: 'or', none: 'or' }

/** A part whose identity survives changes: a rule by its id, a share by its variation. */
export interface ConfigPart {
  readonly id: string
  /** One line or more. */
  readonly text: string
}

export function configParts(config: FlagConfigDraft): ConfigPart[] {
  return [
    { id: 'enabled', text: `the flag is ${config.enabled ? 'on' : 'off'}` },
    { id: 'off', text: `when off, serve ${config.offVariation}` },
    ...config.prerequisites.map((one) => ({ id: `requires ${one.flag}`, text: prerequisiteText(one) })),
    ...config.rules.flatMap((rule, index) => ruleParts(rule, ruleName(rule, index))),
    { id: 'else', text: 'everyone else' },
    ...serveParts(config.fallthrough, 'else'),
  ]
}

export function configText(config: FlagConfigDraft): string {
  return textOf(configParts(config))
}

/** The name of a rule in its parts. A rule that is new on both sides only has its position. */
export function ruleName({ id }: Rule, index: number): string {
  return `rule ${id ?? `at ${index}`}`
}

export function prerequisiteText({ flag, variation }: FlagConfigDraft['prerequisites'][number]): string {
  return `only if ${flag} serves ${variation}`
}

export function ruleText(rule: Rule): string {
  return textOf(ruleParts(rule, ''))
}

function ruleParts({ description, when, serve }: Rule, name: string): ConfigPart[] {
  return [
    { id: name, text: description ? `rule  ${description}` : 'rule' },
    {
      id: `${name} when`,
      text: whenLines(when)
        .map((line) => `  ${line}`)
        .join('\n'),
    },
    ...serveParts(serve, name),
  ]
}

function serveParts(serve: Serve, name: string): ConfigPart[] {
  if ('variation' in serve) return [{ id: `${name} serve`, text: `  ${serveText(serve)}` }]
  return [
    ...serve.split.map(({ variation, weight }) => ({
      id: `${name} share ${variation}`,
      text: `  serve ${percentText(weight)} ${variation}`,
    })),
    ...(isDrawnByKey(serve.by) ? [] : [{ id: `${name} by`, text: `  split by ${serve.by}` }]),
  ]
}

function textOf(parts: readonly ConfigPart[]): string {
  return parts.map(({ text }) => text).join('\n')
}

function isDrawnByKey(by: string | undefined): boolean {
  return by === undefined || by === 'targetingKey'
}

/** `serve 75% control, 25% one-page by anonymousId`. */
export function serveText(serve: Serve): string {
  if ('variation' in serve) return `serve ${serve.variation}`
  return `serve ${sharesText(serve)}${isDrawnByKey(serve.by) ? '' : ` by ${serve.by}`}`
}

/** `75% control, 25% one-page`. */
export function sharesText({ split }: { split: readonly { variation: string; weight: number }[] }): string {
  return split.map(({ variation, weight }) => `${percentText(weight)} ${variation}`).join(', ')
}

/** One line per condition; groups are indented. */
function whenLines({ match, of }: ConditionGroup): string[] {
  if (of.length === 0) return [match === 'any' ? 'nobody' : 'everyone']
  const lines = of.flatMap((part, index) => {
    const word = index === 0 ? '' : `${matchWords[match]} `
    if (!('match' in part)) return [`${word}${conditionText(part)}`]
    return [`${word}(`, ...whenLines(part).map((line) => `  ${line}`), ')']
  })
  return match === 'none' ? ['none of', ...lines.map((line) => `  ${line}`)] : lines
}

function conditionText(condition: Condition): string {
  if (isSegmentCondition(condition)) return `${segmentWords[condition.operator]} segment ${condition.segment}`
  return `${condition.attribute} ${operatorWords[condition.operator]}${operandText(condition)}`
}

function operandText(condition: Exclude<Condition, { segment: string }>): string {
  if ('values' in condition) return ` ${condition.values.map(valueText).join(', ')}`
  if ('value' in condition) return ` ${valueText(condition.value)}`
  if ('divisor' in condition) return ` ${condition.divisor} leaves ${condition.remainder}`
  if ('weight' in condition) return ` ${percentText(condition.weight)} (seed ${condition.seed})`
  return ''
}
