import type { AttributeCondition, AttributeOperator, Scalar } from '@telltale/core/changes/condition-words'

export function emptyCondition(): AttributeCondition {
  return { attribute: '', operator: 'equals', value: '' }
}

/** The same condition with another operator. The operand is kept where it is valid. */
export function withOperator(condition: AttributeCondition, operator: AttributeOperator): AttributeCondition {
  const { attribute } = condition
  const entered = operandsOf(condition)
  const [first] = entered
  switch (operator) {
    case 'equals':
    case 'not-equals':
      return { attribute, operator, value: first ?? '' }
    case 'in':
    case 'not-in':
      return { attribute, operator, values: entered.filter((value) => value !== '') }
    case 'contains':
    case 'not-contains':
    case 'starts-with':
    case 'ends-with':
    case 'matches':
    case 'not-matches':
    case 'semver-equals':
    case 'semver-greater':
    case 'semver-greater-or-equal':
    case 'semver-less':
    case 'semver-less-or-equal':
      return { attribute, operator, value: first === undefined || Number.isNaN(first) ? '' : String(first) }
    case 'greater':
    case 'greater-or-equal':
    case 'less':
    case 'less-or-equal':
      return { attribute, operator, value: measureOf(first) }
    case 'modulo':
      return { attribute, operator, divisor: 2, remainder: 0 }
    case 'percentage':
      return { attribute: attribute || 'targetingKey', operator, weight: 50_000, seed: newSeed() }
    case 'is-set':
    case 'is-not-set':
      return { attribute, operator }
    case 'flagsmith':
      // Not offered in the menu: only imports create it, and changing it is final.
      return condition
  }
}

/** Seeds the bucketing of a percentage. Not secret: it only has to be unique. */
export function newSeed(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(2)), (part) => part.toString(36)).join('')
}

function operandsOf(condition: AttributeCondition): readonly Scalar[] {
  if ('values' in condition) return condition.values
  return 'value' in condition ? [condition.value] : []
}

/** A number, or an instant as text. `NaN` for anything else. */
function measureOf(value: Scalar | undefined): number | string {
  if (typeof value === 'number') return value
  const text = typeof value === 'string' ? value : ''
  return isInstant(text) ? text : numberOf(text)
}

export function isInstant(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT/i.test(text) && !Number.isNaN(Date.parse(text))
}

/** `NaN` unless it is a number: incomplete, or empty. */
export function numberOf(text: string): number {
  const number = Number(text)
  return text.trim() === '' || !Number.isFinite(number) ? Number.NaN : number
}

export function wordsToOptions<Operator extends string>(words: Readonly<Record<Operator, string>>) {
  return entriesOf(words).map(([value, label]) => ({ value, label }))
}

/** A record with all members of a type has exactly its keys. */
function entriesOf<Name extends string>(record: Readonly<Record<Name, string>>): [Name, string][] {
  return Object.entries(record) as [Name, string][]
}
