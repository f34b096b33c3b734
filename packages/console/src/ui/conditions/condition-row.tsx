import {
  type AttributeCondition,
  type AttributeOperator,
  isSegmentCondition,
  operatorWords,
  type SegmentCondition,
  segmentWords,
} from '@telltale/core/changes/condition-words'
import type { Condition } from '@telltale/core/contract/conditions'
import { limits } from '@telltale/core/limits'
import { IconButton } from '../button.tsx'
import { Combobox } from '../form/combobox.tsx'
import { Select } from '../form/select.tsx'
import type { Suggestion } from '../form/suggestion-list.tsx'
import type { ConditionFault } from './condition-faults.ts'
import { OperandInput } from './operand-input.tsx'
import { withOperator, wordsToOptions } from './operators.ts'

export interface SegmentChoice {
  readonly key: string
  readonly name: string
}

/** Shared by every part of one editor. */
export interface EditorScope {
  readonly attributes: readonly Suggestion[]
  /** Undefined where conditions cannot use segments. */
  readonly segments: readonly SegmentChoice[] | undefined
  readonly faults: readonly ConditionFault[]
  /** The maximum of parts is reached. */
  readonly isFull: boolean
}

type ConditionRowProps<C extends Condition> = {
  condition: C
  scope: EditorScope
  /** Its pointer in the whole. */
  pointer: string
  onCondition: (condition: Condition) => void
}

/** One condition: attribute, operator, operand. Stacked on narrow screens. */
export function ConditionRow(
  props: ConditionRowProps<Condition> & { number: number; word: string; onRemove: () => void },
) {
  const { condition, pointer, scope, number, word, onCondition, onRemove } = props
  const fault = faultAt(scope, pointer)
  return (
    <fieldset
      data-part={pointer}
      className="grid min-w-0 grid-cols-[40px_minmax(0,1fr)_28px] items-start gap-6 max-wide:grid-cols-[minmax(0,1fr)_28px]"
    >
      <legend className="sr-only">Condition {number}</legend>
      <span aria-hidden="true" className="pt-6 text-right text-text-3 max-wide:hidden">
        {word}
      </span>
      <div className="grid min-w-0 gap-4">
        <div className="grid min-w-0 gap-6 wide:grid-cols-[minmax(0,3fr)_minmax(0,3fr)_minmax(0,6fr)]">
          {isSegmentCondition(condition) ? (
            <SegmentPart condition={condition} scope={scope} pointer={pointer} onCondition={onCondition} />
          ) : (
            <AttributePart condition={condition} scope={scope} pointer={pointer} onCondition={onCondition} />
          )}
        </div>
        {fault && <p className="text-12 text-bad">{fault}</p>}
      </div>
      <IconButton icon="close" label={`Remove condition ${number}`} onClick={onRemove} />
    </fieldset>
  )
}

const everyOperator = wordsToOptions(operatorWords)
const operators = everyOperator.filter(({ value }) => value !== 'flagsmith')
const memberships = wordsToOptions(segmentWords)

function AttributePart({ condition, scope, pointer, onCondition }: ConditionRowProps<AttributeCondition>) {
  return (
    <>
      <Combobox
        label="Attribute"
        hideLabel
        code
        placeholder="Attribute, such as plan"
        suggestions={scope.attributes}
        maxLength={limits.attributeLength}
        value={condition.attribute}
        onValue={(attribute) => onCondition({ ...condition, attribute })}
        fault={faultAt(scope, `${pointer}/attribute`)}
      />
      <Select<AttributeOperator>
        label="Operator"
        hideLabel
        options={condition.operator === 'flagsmith' ? everyOperator : operators}
        value={condition.operator}
        onValue={(operator) => onCondition(withOperator(condition, operator))}
      />
      <OperandInput
        condition={condition}
        onCondition={onCondition}
        faultAt={(member) => faultAt(scope, `${pointer}${member}`)}
      />
    </>
  )
}

function SegmentPart({ condition, scope, pointer, onCondition }: ConditionRowProps<SegmentCondition>) {
  return (
    <>
      <span className="pt-6 max-wide:hidden">Targeting key</span>
      <Select<SegmentCondition['operator']>
        label="Operator"
        hideLabel
        options={memberships}
        value={condition.operator}
        onValue={(operator) => onCondition({ ...condition, operator })}
      />
      <Combobox
        label="Segment"
        hideLabel
        code
        placeholder="Key of a segment"
        suggestions={(scope.segments ?? []).map(({ key, name }) => ({ value: key, note: name }))}
        maxLength={limits.keyLength}
        value={condition.segment}
        onValue={(segment) => onCondition({ ...condition, segment })}
        fault={faultAt(scope, `${pointer}/segment`)}
      />
    </>
  )
}

export function faultAt({ faults }: EditorScope, pointer: string): string | undefined {
  return faults.find((fault) => fault.pointer === pointer)?.message
}
