import { lazy, Suspense } from 'react'
import { Skeleton } from '../states.tsx'
import { inputClass } from './field.tsx'

const JsonText = lazy(() => import('./json-text.tsx').then(({ JsonText }) => ({ default: JsonText })))

export type JsonEditorProps = {
  label: string
  value: string
  onValue: (value: string) => void
  fault?: string | undefined
  hint?: string
  readOnly?: boolean
}

/** A JSON editor. Text stays as typed; the fault describes what is wrong with it. */
export function JsonEditor({ hint, ...props }: JsonEditorProps) {
  const fault = props.fault ?? jsonFault(props.value)
  return (
    <div className="grid gap-4">
      <span className="font-medium">{props.label}</span>
      <div
        className={`overflow-hidden px-0! ${inputClass} ${fault ? 'border-bad-fill' : ''} focus-within:outline-2 focus-within:outline-accent`}
      >
        <Suspense fallback={<Skeleton rows={3} />}>
          <JsonText {...props} />
        </Suspense>
      </div>
      {hint && !fault && <p className="text-12 text-text-3">{hint}</p>}
      {fault && (
        <p role="status" className="text-12 text-bad">
          {fault}
        </p>
      )}
    </div>
  )
}

function jsonFault(text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return error instanceof Error ? `Invalid JSON: ${error.message}` : 'Invalid JSON'
  }
}
