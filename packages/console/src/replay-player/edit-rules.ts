// Changes the rules of a style sheet by their path. A rule that the browser refuses leaves an empty one, so that the
// paths of later changes are right.

import type { AssetOf } from './cleanse-css.ts'
import { cleanseCss } from './cleanse-css.ts'
import { isObject, listOf, stringOf } from './read-json.ts'

type RuleOwner = CSSStyleSheet | CSSGroupingRule

const rulesAtMost = 50_000
const deepest = 100
const empty = '@media not all {}'
const aProperty = /^(--[\w-]{1,100}|-?[a-z][a-z-]{0,60})$/i

export function insertRule(sheet: CSSStyleSheet, path: unknown, text: string): void {
  const found = findOwner(sheet, path)
  if (found === undefined || found.owner.cssRules.length >= rulesAtMost) return
  const index = Math.min(found.index, found.owner.cssRules.length)
  try {
    found.owner.insertRule(text, index)
  } catch {
    found.owner.insertRule(empty, index)
  }
}

export function deleteRule(sheet: CSSStyleSheet, path: unknown): void {
  const found = findOwner(sheet, path)
  if (found !== undefined && found.index < found.owner.cssRules.length) found.owner.deleteRule(found.index)
}

export function styleAt(sheet: CSSStyleSheet, path: unknown): CSSStyleDeclaration | undefined {
  const found = findOwner(sheet, path)
  const rule = found?.owner.cssRules[found.index]
  return rule !== undefined && 'style' in rule ? (rule as CSSStyleRule).style : undefined
}

export interface Declared {
  readonly property?: unknown
  readonly value?: unknown
  readonly important?: unknown
}

export function declare(style: CSSStyleDeclaration, declared: Declared, assetOf: AssetOf): void {
  const property = stringOf(declared.property)
  if (!aProperty.test(property)) return
  if (typeof declared.value !== 'string') style.removeProperty(property)
  else
    style.setProperty(
      property,
      cleanseCss(declared.value, assetOf),
      declared.important === true ? 'important' : '',
    )
}

function findOwner(sheet: CSSStyleSheet, path: unknown): { owner: RuleOwner; index: number } | undefined {
  const steps = listOf(path)
  if (steps.length === 0 || steps.length > deepest || !steps.every(isIndex)) return undefined
  let owner: RuleOwner = sheet
  for (const step of steps.slice(0, -1)) {
    const rule: CSSRule | undefined = owner.cssRules[step]
    if (!isOwner(rule)) return undefined
    owner = rule
  }
  const index = steps.at(-1)
  return index === undefined ? undefined : { owner, index }
}

const isIndex = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

const isOwner = (rule: CSSRule | undefined): rule is CSSGroupingRule =>
  isObject(rule) && 'cssRules' in rule && 'insertRule' in rule
