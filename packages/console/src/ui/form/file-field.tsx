import { useId } from 'react'
import { buttonClass } from '../button.tsx'

type FileFieldProps = {
  label: string
  hint: string
  /** Comma-separated extensions. */
  accept: string
  isMultiple?: boolean
  onFiles: (files: FileList) => void
}

/** Selected, or dropped onto it. */
export function FileField({ label, hint, accept, isMultiple = false, onFiles }: FileFieldProps) {
  const id = useId()
  return (
    <label
      htmlFor={id}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        onFiles(event.dataTransfer.files)
      }}
      className="grid cursor-pointer justify-items-center gap-8 rounded-panel border border-control border-dashed px-16 py-20 text-center focus-within:outline-2 focus-within:outline-accent"
    >
      <input
        id={id}
        type="file"
        multiple={isMultiple}
        accept={accept}
        className="sr-only"
        onChange={(event) => {
          if (event.currentTarget.files) onFiles(event.currentTarget.files)
          event.currentTarget.value = ''
        }}
      />
      <span className={buttonClass()}>{label}</span>
      <span className="text-12 text-text-3">{hint}</span>
    </label>
  )
}
