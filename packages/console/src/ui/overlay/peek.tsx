import { type ReactNode, useEffect, useId, useRef } from 'react'
import { CloseButton } from '../button.tsx'
import { ErrorBoundary } from '../panel.tsx'

type PeekProps = {
  title: ReactNode
  /** The link to the full page. */
  open?: ReactNode
  onClose: () => void
  children: ReactNode
}

/** The detail of a row at the right edge, beside the list and not modal: the list stays usable. */
export function Peek({ title, open, onClose, children }: PeekProps) {
  const id = useId()
  const latest = useRef(onClose)
  latest.current = onClose
  useEffect(() => {
    function close(event: KeyboardEvent) {
      if (event.key === 'Escape' && !event.defaultPrevented) latest.current()
    }
    window.addEventListener('keydown', close)
    return () => window.removeEventListener('keydown', close)
  }, [])

  return (
    <aside
      aria-labelledby={id}
      data-peek
      className="fixed inset-y-0 right-0 z-30 flex w-peek max-w-full animate-slide flex-col border-line-strong border-l bg-surface shadow-dialog"
    >
      <header className="flex h-bar shrink-0 items-center gap-8 border-line border-b px-16">
        <h2 id={id} className="min-w-0 flex-1 truncate font-strong text-14">
          {title}
        </h2>
        {open}
        <CloseButton onClick={onClose} />
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto p-16">
        <ErrorBoundary>{children}</ErrorBoundary>
      </div>
    </aside>
  )
}
