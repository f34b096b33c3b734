import { useEffect, useState } from 'react'
import { Button, IconButton } from './button.tsx'

const statusShownFor = 2_000

/**
 * Copies, and shows whether it worked. Browsers refuse it on plain HTTP: then the text is selected for manual
 * copying.
 */
export function useCopy(text: string | (() => string)): { status: string | undefined; copy: () => void } {
  const [status, setStatus] = useState<string>()
  useEffect(() => {
    if (status === undefined) return
    const timer = setTimeout(() => setStatus(undefined), statusShownFor)
    return () => clearTimeout(timer)
  }, [status])

  function copy() {
    // The clipboard API requires a secure context.
    const clipboard: Clipboard | undefined = navigator.clipboard
    if (!clipboard) return setStatus('Select the text to copy it')
    clipboard.writeText(typeof text === 'string' ? text : text()).then(
      () => setStatus('Copied'),
      () => setStatus('Select the text to copy it'),
    )
  }
  return { status, copy }
}

type CopyTextProps = {
  text: string
  /** Names the copied value: `Copy the client key`. */
  label: string
}

/** A key, id or path with a copy button. Long ones are truncated in the middle, never wrapped. */
export function CopyText({ text, label }: CopyTextProps) {
  const { status, copy } = useCopy(text)
  return (
    <span className="inline-flex min-w-0 max-w-full items-center gap-4">
      <code className="truncate" title={text}>
        {text}
      </code>
      <IconButton
        icon={status === 'Copied' ? 'check' : 'copy'}
        label={status ?? label}
        small
        onClick={copy}
      />
      <span role="status" className="sr-only">
        {status}
      </span>
    </span>
  )
}

/** Code to copy: focusable and scrollable, never wraps. */
export function CodeBox({ code, label }: { code: string; label: string }) {
  const { status, copy } = useCopy(code)
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-8">
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
        tabIndex={0}
        aria-label={label}
        className="overflow-x-auto rounded-control border border-line bg-sunken px-12 py-10"
      >
        <pre className="font-code text-12">{code}</pre>
      </section>
      <div className="flex items-center justify-end gap-8">
        <span role="status" className="text-12 text-text-3">
          {status}
        </span>
        <Button icon="copy" onClick={copy}>
          Copy code
        </Button>
      </div>
    </div>
  )
}
