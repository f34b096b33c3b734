import {
  type AttributeCondition,
  type FlagsmithCondition,
  flagsmithWords,
} from '@telltale/core/changes/condition-words'
import { limits } from '@telltale/core/limits'
import { Button } from '../button.tsx'
import { Field } from '../form/field.tsx'
import { Select } from '../form/select.tsx'
import { ListInput } from './list-input.tsx'
import { NumberInput } from './number-input.tsx'
import { isInstant, newSeed, wordsToOptions } from './operators.ts'
import { ScalarInput } from './scalar-input.tsx'

type OperandProps<C extends AttributeCondition = AttributeCondition> = {
  condition: C
  onCondition: (condition: AttributeCondition) => void
  /** By member: `/value`. */
  faultAt: (member: string) => string | undefined
}

type With<Member extends string> = Extract<AttributeCondition, Record<Member, unknown>>
type OrderCondition = Extract<
  AttributeCondition,
  { operator: 'greater' | 'greater-or-equal' | 'less' | 'less-or-equal' }
>
type TextCondition = Exclude<
  With<'value'>,
  OrderCondition | FlagsmithCondition | { operator: 'equals' | 'not-equals' }
>

/** The operand of a condition, in a control that fits the operator. */
export function OperandInput({ condition, onCondition, faultAt }: OperandProps) {
  switch (condition.operator) {
    case 'equals':
    case 'not-equals':
      return (
        <ScalarInput
          value={condition.value}
          fault={faultAt('/value')}
          onValue={(value) => onCondition({ ...condition, value })}
        />
      )
    case 'in':
    case 'not-in':
      return (
        <ListInput
          label="Values"
          values={condition.values}
          fault={faultAt('/values')}
          onValues={(values) => onCondition({ ...condition, values })}
        />
      )
    case 'greater':
    case 'greater-or-equal':
    case 'less':
    case 'less-or-equal':
      return <OrderInput condition={condition} onCondition={onCondition} faultAt={faultAt} />
    case 'modulo':
      return <ModuloInput condition={condition} onCondition={onCondition} faultAt={faultAt} />
    case 'percentage':
      return <PercentageInput condition={condition} onCondition={onCondition} faultAt={faultAt} />
    case 'is-set':
    case 'is-not-set':
      return null
    case 'flagsmith':
      return <FlagsmithInput condition={condition} onCondition={onCondition} faultAt={faultAt} />
    default:
      return <TextInput condition={condition} onCondition={onCondition} faultAt={faultAt} />
  }
}

function TextInput({ condition, onCondition, faultAt }: OperandProps<TextCondition>) {
  const isExpression = condition.operator === 'matches' || condition.operator === 'not-matches'
  const isVersion = condition.operator.startsWith('semver')
  return (
    <Field
      label="Value"
      hideLabel
      code={isExpression || isVersion}
      placeholder={isExpression ? '^beta-[0-9]+$' : isVersion ? '1.2.3' : 'Text'}
      hint={isExpression ? 'RE2 syntax, matches anywhere in the text.' : undefined}
      maxLength={isExpression ? limits.expressionLength : limits.conditionValueLength}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      value={condition.value}
      // An untouched field is not a fault yet.
      fault={condition.value === '' && isVersion ? undefined : faultAt('/value')}
      onChange={(event) => onCondition({ ...condition, value: event.currentTarget.value })}
    />
  )
}

const measures = [
  { value: 'number', label: 'Number' },
  { value: 'date', label: 'Date (UTC)' },
] as const

function OrderInput({ condition, onCondition, faultAt }: OperandProps<OrderCondition>) {
  const { value } = condition
  return (
    <div className="flex min-w-0 items-start gap-6">
      <div className="min-w-0 flex-1">
        {typeof value === 'number' ? (
          <NumberInput
            label="Number"
            value={value}
            fault={faultAt('/value')}
            onValue={(next) => onCondition({ ...condition, value: next })}
          />
        ) : (
          <Field
            label="Date and time, UTC"
            hideLabel
            type="datetime-local"
            step={1}
            value={isInstant(value) ? new Date(value).toISOString().slice(0, 19) : ''}
            fault={value === '' ? undefined : faultAt('/value')}
            onChange={(event) => {
              const entered = event.currentTarget.value
              // The browser omits seconds when they are zero; an instant requires them.
              const instant = entered.length === 16 ? `${entered}:00Z` : entered && `${entered.slice(0, 19)}Z`
              onCondition({ ...condition, value: instant })
            }}
          />
        )}
      </div>
      <span className="w-[14ch] shrink-0">
        <Select
          label="Compare as"
          hideLabel
          options={measures}
          value={typeof value === 'number' ? 'number' : 'date'}
          onValue={(kind) => onCondition({ ...condition, value: kind === 'number' ? Number.NaN : '' })}
        />
      </span>
    </div>
  )
}

function ModuloInput({ condition, onCondition, faultAt }: OperandProps<With<'divisor'>>) {
  return (
    <div className="flex min-w-0 items-start gap-6">
      <NumberInput
        label="Divisor"
        value={condition.divisor}
        fault={faultAt('/divisor')}
        onValue={(divisor) => onCondition({ ...condition, divisor })}
      />
      <span className="pt-6 text-text-2">remainder</span>
      <NumberInput
        label="Remainder"
        value={condition.remainder}
        fault={faultAt('/remainder')}
        onValue={(remainder) => onCondition({ ...condition, remainder })}
      />
    </div>
  )
}

const weightPerPercent = limits.weightTotal / 100

function PercentageInput({ condition, onCondition, faultAt }: OperandProps<With<'weight'>>) {
  return (
    <div className="flex min-w-0 flex-wrap items-start gap-x-6">
      <span className="w-[16ch]">
        <NumberInput
          label="Percentage"
          unit="%"
          value={condition.weight / weightPerPercent}
          fault={faultAt('/weight')}
          onValue={(percent) => onCondition({ ...condition, weight: Math.round(percent * weightPerPercent) })}
        />
      </span>
      <Button look="quiet" onClick={() => onCondition({ ...condition, seed: newSeed() })}>
        Seed
      </Button>
    </div>
  )
}

const comparisons = wordsToOptions(flagsmithWords)

function FlagsmithInput({ condition, onCondition, faultAt }: OperandProps<FlagsmithCondition>) {
  const { compare, value } = condition
  return (
    <div className="flex min-w-0 items-start gap-6">
      <Select<FlagsmithCondition['compare']>
        label="Compare"
        hideLabel
        options={comparisons}
        value={compare}
        onValue={(next) => onCondition({ ...condition, compare: next })}
      />
      {compare !== 'IS_SET' && compare !== 'IS_NOT_SET' && (
        <Field
          label="Value"
          hideLabel
          code
          maxLength={limits.conditionValueLength}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={value}
          fault={faultAt('/value')}
          onChange={(event) => onCondition({ ...condition, value: event.currentTarget.value })}
        />
      )}
    </div>
  )
}
