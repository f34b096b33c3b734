import { useSyncExternalStore } from 'react'
import { Button, IconButton } from '../button.tsx'

/** The result of a background action. Never the only place of an error. */
interface Toast {
  readonly text: string
  /** With it, or with an action, the toast stays until it is closed, without a time limit. */
  readonly undo?: () => void
  /** A link to the result: `Show the request`. */
  readonly action?: { readonly label: string; readonly run: () => void }
}

interface Shown extends Toast {
  readonly id: number
}

const shownFor = 6_000
const shownAtMost = 3
let shown: readonly Shown[] = []
let lastId = 0
const listeners = new Set<() => void>()

export function showToast(toast: Toast): void {
  lastId += 1
  const id = lastId
  setShown([...shown, { ...toast, id }].slice(-shownAtMost))
  if (!toast.undo && !toast.action) setTimeout(() => closeToast(id), shownFor)
}

function closeToast(id: number): void {
  setShown(shown.filter((toast) => toast.id !== id))
}

function setShown(next: readonly Shown[]): void {
  shown = next
  for (const listener of listeners) listener()
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function Toasts() {
  const toasts = useSyncExternalStore(listen, () => shown)
  return (
    <section
      aria-label="Messages"
      className="pointer-events-none fixed inset-x-12 bottom-[68px] z-50 grid justify-items-center gap-8 wide:bottom-16"
    >
      <div role="status" className="contents">
        {toasts.map((toast) => (
          <div
            key={toast.id}
            className="pointer-events-auto flex max-w-dialog animate-open items-center gap-12 rounded-panel bg-ink py-6 pr-6 pl-14 text-on-ink shadow-dialog"
          >
            <span className="min-w-0 flex-1 text-pretty">{toast.text}</span>
            {toast.undo && <ToastButton toast={toast} label="Undo" run={toast.undo} />}
            {toast.action && <ToastButton toast={toast} {...toast.action} />}
            <IconButton
              icon="close"
              label="Close the message"
              look="primary"
              small
              onClick={() => closeToast(toast.id)}
            />
          </div>
        ))}
      </div>
    </section>
  )
}

function ToastButton({ toast, label, run }: { toast: Shown; label: string; run: () => void }) {
  return (
    <Button
      size="small"
      onClick={() => {
        run()
        closeToast(toast.id)
      }}
    >
      {label}
    </Button>
  )
}
