import { type InputHTMLAttributes, type ReactNode, type Ref, type TextareaHTMLAttributes, useId } from 'react'
import { Icon } from '../icon.tsx'

export const inputClass =
  'w-full min-w-0 rounded-control border border-control bg-surface px-8 -outline-offset-1 placeholder:text-text-3 disabled:bg-sunken disabled:text-text-3 [&[readonly]]:bg-sunken aria-invalid:border-bad-fill'

interface LabelProps {
  label: string
  /** Hidden labels are still available to screen readers. */
  hideLabel?: boolean
  hint?: ReactNode
  fault?: string | undefined
}

type FrameProps = LabelProps & {
  children: (attributes: {
    id: string
    'aria-invalid': true | undefined
    'aria-describedby': string | undefined
  }) => ReactNode
}

/** Label above, control, then the fault or the hint. Every form control is inside one. */
export function FieldFrame({ label, hideLabel, hint, fault, children }: FrameProps) {
  const id = useId()
  const note = fault ?? hint

  return (
    <div className="grid min-w-0 content-start gap-4">
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'font-medium'}>
        {label}
      </label>
      {children({
        id,
        'aria-invalid': fault ? true : undefined,
        'aria-describedby': note ? `${id}-note` : undefined,
      })}
      {note && (
        <p id={`${id}-note`} className={`text-12 ${fault ? 'text-bad' : 'text-text-3'}`}>
          {note}
        </p>
      )}
    </div>
  )
}

type FieldProps = InputHTMLAttributes<HTMLInputElement> &
  LabelProps & { ref?: Ref<HTMLInputElement>; code?: boolean }

export function Field({ label, hideLabel, hint, fault, code, ...input }: FieldProps) {
  return (
    <FieldFrame label={label} hideLabel={hideLabel ?? false} hint={hint} fault={fault}>
      {(attributes) => (
        <input className={`h-ctl ${inputClass} ${code ? 'font-code' : ''}`} {...attributes} {...input} />
      )}
    </FieldFrame>
  )
}

type TextAreaProps = TextareaHTMLAttributes<HTMLTextAreaElement> &
  LabelProps & { ref?: Ref<HTMLTextAreaElement>; code?: boolean }

export function TextArea({ label, hideLabel, hint, fault, code, rows = 3, ...area }: TextAreaProps) {
  return (
    <FieldFrame label={label} hideLabel={hideLabel ?? false} hint={hint} fault={fault}>
      {(attributes) => (
        <textarea
          rows={rows}
          className={`resize-y py-4 ${inputClass} ${code ? 'font-code' : ''}`}
          {...attributes}
          {...area}
        />
      )}
    </FieldFrame>
  )
}

type SearchFieldProps = InputHTMLAttributes<HTMLInputElement> & {
  ref?: Ref<HTMLInputElement>
  label: string
  keyCap?: string
}

/** A search line with an icon. Its label is for screen readers only; the placeholder repeats it. */
export function SearchField({ label, keyCap, className = '', ...input }: SearchFieldProps) {
  return (
    <label
      className={`flex h-ctl min-w-0 items-center gap-8 rounded-control border border-control bg-surface px-8 focus-within:outline-2 focus-within:outline-accent focus-within:-outline-offset-1 ${className}`}
    >
      <Icon name="search" className="size-16 text-text-3" />
      <span className="sr-only">{label}</span>
      <input
        type="search"
        placeholder={label}
        autoComplete="off"
        spellCheck={false}
        className="min-w-0 flex-1 bg-transparent outline-none placeholder:text-text-3 [&::-webkit-search-cancel-button]:hidden"
        {...input}
      />
      {keyCap && <KeyCap>{keyCap}</KeyCap>}
    </label>
  )
}

/** Hidden on devices without a keyboard, unless the screen is about shortcuts. */
export function KeyCap({ children, always = false }: { children: ReactNode; always?: boolean }) {
  return (
    <kbd
      className={`${always ? '' : 'max-wide:hidden pointer-coarse:hidden'} inline-block min-w-20 rounded-chip border border-line-strong bg-surface px-4 text-center font-medium font-ui text-11 text-text-3`}
    >
      {children}
    </kbd>
  )
}
