import { type InputHTMLAttributes, useId } from 'react'

type FieldProps = InputHTMLAttributes<HTMLInputElement> & {
  label: string
  hint?: string
  fault?: string | undefined
}

export function Field({ label, hint, fault, ...input }: FieldProps) {
  const id = useId()
  const note = fault ?? hint

  return (
    <div className="grid gap-4">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <input
        id={id}
        className="h-ctl w-full min-w-0 rounded-control border border-control bg-surface px-8 -outline-offset-1 aria-invalid:border-bad-fill"
        aria-invalid={fault ? true : undefined}
        aria-describedby={note ? `${id}-note` : undefined}
        {...input}
      />
      {note && (
        <p id={`${id}-note`} className={`text-12 ${fault ? 'text-bad' : 'text-text-3'}`}>
          {note}
        </p>
      )}
    </div>
  )
}
