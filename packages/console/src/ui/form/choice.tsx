import { Checkbox as CheckboxPrimitive, RadioGroup as RadioPrimitive } from 'radix-ui'
import { type ReactNode, useId } from 'react'
import { Icon } from '../icon.tsx'

type ToggleProps = {
  label: ReactNode
  hint?: ReactNode
  hideLabel?: boolean
  checked: boolean
  onChecked: (checked: boolean) => void
  disabled?: boolean
}

/** Changes the draft, never saves directly. A plain button, because lists render it in every row. */
export function Switch({ label, hint, hideLabel, checked, onChecked, disabled }: ToggleProps) {
  const id = useId()
  const state = checked ? 'checked' : 'unchecked'
  return (
    <span className="inline-flex min-w-0 items-start gap-8">
      <button
        type="button"
        role="switch"
        id={id}
        aria-checked={checked}
        data-state={state}
        onClick={() => onChecked(!checked)}
        disabled={disabled ?? false}
        aria-describedby={hint ? `${id}-note` : undefined}
        className="group relative inline-flex h-18 w-30 shrink-0 cursor-pointer items-center rounded-round border border-control bg-surface p-2 transition-colors duration-(--t2) after:absolute after:-inset-6 disabled:cursor-not-allowed disabled:opacity-60 data-[state=checked]:border-ink data-[state=checked]:bg-ink forced-colors:data-[state=checked]:forced-color-adjust-none"
      >
        <span
          data-state={state}
          className="size-12 rounded-round bg-control transition-transform duration-(--t2) ease-calm data-[state=checked]:translate-x-12 data-[state=checked]:bg-on-ink"
        />
      </button>
      <ToggleLabel id={id} label={label} hint={hint} hidden={hideLabel} />
    </span>
  )
}

export function Checkbox({ label, hint, hideLabel, checked, onChecked, disabled }: ToggleProps) {
  const id = useId()
  return (
    <span className="inline-flex min-w-0 items-start gap-8">
      <CheckboxPrimitive.Root
        id={id}
        checked={checked}
        onCheckedChange={(state) => onChecked(state === true)}
        disabled={disabled ?? false}
        aria-describedby={hint ? `${id}-note` : undefined}
        className="relative mt-1 grid size-16 shrink-0 cursor-pointer place-items-center rounded-chip border border-control bg-surface after:absolute after:-inset-4 disabled:cursor-not-allowed disabled:opacity-60 data-[state=checked]:border-ink data-[state=checked]:bg-ink data-[state=checked]:text-on-ink"
      >
        <CheckboxPrimitive.Indicator>
          <Icon name="check" className="size-12" />
        </CheckboxPrimitive.Indicator>
      </CheckboxPrimitive.Root>
      <ToggleLabel id={id} label={label} hint={hint} hidden={hideLabel} />
    </span>
  )
}

function ToggleLabel(props: { id: string; label: ReactNode; hint: ReactNode; hidden: boolean | undefined }) {
  return (
    <span className={props.hidden ? 'sr-only' : 'grid min-w-0 [overflow-wrap:anywhere]'}>
      <label htmlFor={props.id} className="cursor-pointer">
        {props.label}
      </label>
      {props.hint && (
        <span id={`${props.id}-note`} className="text-12 text-text-3">
          {props.hint}
        </span>
      )}
    </span>
  )
}

export interface Choice<Value extends string> {
  value: Value
  label: ReactNode
  hint?: ReactNode
  disabled?: boolean
}

type RadioProps<Value extends string> = {
  label: string
  choices: readonly Choice<Value>[]
  value: Value
  onValue: (value: Value) => void
}

export function Radio<Value extends string>({ label, choices, value, onValue }: RadioProps<Value>) {
  const id = useId()
  return (
    <div className="grid gap-6">
      <span id={id} className="font-medium">
        {label}
      </span>
      <RadioPrimitive.Root
        aria-labelledby={id}
        className="grid gap-6"
        value={value}
        onValueChange={(next) => {
          const chosen = choices.find((choice) => choice.value === next)
          if (chosen) onValue(chosen.value)
        }}
      >
        {choices.map((choice) => (
          <span key={choice.value} className="inline-flex items-start gap-8">
            <RadioPrimitive.Item
              id={`${id}-${choice.value}`}
              value={choice.value}
              disabled={choice.disabled ?? false}
              className="relative mt-1 grid size-16 shrink-0 cursor-pointer place-items-center rounded-round border border-control bg-surface after:absolute after:-inset-4 disabled:cursor-not-allowed disabled:opacity-60 data-[state=checked]:border-ink"
            >
              <RadioPrimitive.Indicator className="size-8 rounded-round bg-ink" />
            </RadioPrimitive.Item>
            <ToggleLabel
              id={`${id}-${choice.value}`}
              label={choice.label}
              hint={choice.hint}
              hidden={false}
            />
          </span>
        ))}
      </RadioPrimitive.Root>
    </div>
  )
}

type SegmentedProps<Value extends string> = {
  label: string
  choices: readonly { value: Value; label: ReactNode }[]
  value: Value
  onValue: (value: Value) => void
}

/** Two to five views of the same data, side by side. */
export function Segmented<Value extends string>({ label, choices, value, onValue }: SegmentedProps<Value>) {
  return (
    <fieldset className="inline-flex h-fit w-fit min-w-0 max-w-full flex-wrap overflow-hidden rounded-control border border-line-strong bg-surface shadow-control">
      <legend className="sr-only">{label}</legend>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          aria-pressed={choice.value === value}
          onClick={() => onValue(choice.value)}
          className="-mr-px -mb-px inline-flex h-ctl grow cursor-pointer items-center justify-center gap-6 whitespace-nowrap border-line border-r border-b px-10 font-medium text-text-2 -outline-offset-2 aria-pressed:bg-selected aria-pressed:text-text"
        >
          {choice.label}
        </button>
      ))}
    </fieldset>
  )
}
