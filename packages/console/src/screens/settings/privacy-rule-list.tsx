import { limits } from '@telltale/core/limits'
import { useId, useRef, useState } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import type { FieldsProps } from './environment-fields.tsx'
import { newRow, type PrivacyRule, type RuleRow, ruleFaults, whyWithoutEffect } from './privacy-rule-draft.ts'

const actions: readonly { value: PrivacyRule['action']; label: string }[] = [
  { value: 'mask', label: 'Mask' },
  { value: 'unmask', label: 'Unmask' },
  { value: 'block', label: 'Block' },
]

/** The privacy rules of an environment, one row each. Text instead of fields for those who cannot change them. */
export function PrivacyRuleList({ values, faults, disabled, onChange }: FieldsProps) {
  const id = useId()
  const list = useRef<HTMLFieldSetElement>(null)
  const rows = values.privacyRules
  const found = ruleFaults(rows)
  const isFull = rows.length >= limits.privacyRules

  const focusOn = (selector: string) =>
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(selector)?.focus())
  const add = () => {
    const row = newRow(rows)
    onChange({ privacyRules: [...rows, row] })
    focusOn(`[data-rule="${row.id}"] input`)
  }
  const remove = (removed: RuleRow) => {
    const at = rows.indexOf(removed)
    const next = rows[at + 1] ?? rows[at - 1]
    onChange({ privacyRules: rows.filter((row) => row !== removed) })
    focusOn(next === undefined ? '[data-add]' : `[data-rule="${next.id}"] [data-remove]`)
  }
  return (
    <fieldset ref={list} aria-describedby={`${id}-note`} className="grid min-w-0 gap-8">
      <legend className="font-medium">Rules</legend>
      <p id={`${id}-note`} className="text-pretty text-12 text-text-3">
        By CSS selector, for matching elements and their content: Mask hides text, Unmask shows it, Block
        records an empty box. Where several match, Block prevails over Mask, and Mask over Unmask. Browsers
        receive the selectors.
      </p>
      {rows.length === 0 && (
        <p className="text-text-2">No rules. The privacy level and the marks in your pages apply.</p>
      )}
      {disabled ? (
        <RulesAsText {...values} />
      ) : (
        <>
          {rows.map((row, index) => (
            <RuleFields
              key={row.id}
              row={row}
              number={index + 1}
              fault={faults.privacyRules?.[index]}
              found={found[index]}
              note={whyWithoutEffect(row, values)}
              onRow={(changed) =>
                onChange({ privacyRules: rows.map((each) => (each === row ? changed : each)) })
              }
              onRemove={() => remove(row)}
            />
          ))}
          <div className="flex flex-wrap items-center gap-8">
            <Button data-add="" icon="plus" size="small" disabled={isFull} onClick={add}>
              Add rule
            </Button>
            {isFull && <span className="text-12 text-text-3">At most {limits.privacyRules} rules.</span>}
          </div>
        </>
      )}
    </fieldset>
  )
}

type RuleFieldsProps = {
  row: RuleRow
  number: number
  /** Of the last attempt to save. */
  fault: string | undefined
  /** As it is typed now: shown once the field was left. */
  found: string | undefined
  note: string | undefined
  onRow: (row: RuleRow) => void
  onRemove: () => void
}

function RuleFields({ row, number, fault, found, note, onRow, onRemove }: RuleFieldsProps) {
  const [isLeft, setLeft] = useState(false)
  return (
    <div
      data-rule={row.id}
      className="grid grid-cols-[minmax(0,1fr)_112px_28px] items-start gap-6 max-wide:grid-cols-[minmax(0,1fr)_auto] max-wide:pb-6 max-wide:[&>:first-child]:col-span-2"
    >
      <Field
        label={`Selector of rule ${number}`}
        hideLabel
        code
        placeholder=".account-number"
        value={row.selector}
        onChange={(event) => onRow({ ...row, selector: event.currentTarget.value })}
        onBlur={() => setLeft(row.selector.trim() !== '')}
        maxLength={limits.selectorLength}
        fault={fault ?? (isLeft ? found : undefined)}
        hint={note}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <Select
        label={`Action of rule ${number}`}
        hideLabel
        options={actions}
        value={row.action}
        onValue={(action) => onRow({ ...row, action })}
      />
      <IconButton data-remove="" icon="close" label={`Remove rule ${number}`} onClick={onRemove} />
    </div>
  )
}

function RulesAsText(values: Pick<FieldsProps['values'], 'privacyRules' | 'unmaskAllowed' | 'privacyLevel'>) {
  if (values.privacyRules.length === 0) return null
  return (
    <ul className="grid gap-6">
      {values.privacyRules.map((rule) => (
        <li key={rule.id} className="grid grid-cols-[64px_minmax(0,1fr)] items-baseline gap-x-8">
          <span>{actions.find(({ value }) => value === rule.action)?.label}</span>
          <span className="min-w-0">
            <code className="whitespace-normal [overflow-wrap:anywhere]">{rule.selector}</code>{' '}
            <span className="text-12 text-text-3">{whyWithoutEffect(rule, values)}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}
