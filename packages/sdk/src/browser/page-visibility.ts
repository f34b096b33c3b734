// Whether the page may be visible to the user.

export interface PageWatcher {
  /** Visible again. */
  onShown(): void
  /** Hidden for the given time, about to be left, or about to be frozen. */
  onHidden(): void
}

const events = ['visibilitychange', 'pagehide', 'pageshow', 'freeze', 'resume']

/** The page initially counts as visible. Returns a function to stop. */
export function watchPage({ onShown, onHidden }: PageWatcher, patience: number): () => void {
  let isShown = true
  let timer: ReturnType<typeof setTimeout>

  const set = (next: boolean) => {
    if (next === isShown) return
    isShown = next
    if (next) onShown()
    else onHidden()
  }
  const look = ({ type }: { type: string }) => {
    clearTimeout(timer)
    if (type === 'pagehide' || type === 'freeze') set(false)
    else if (document.hidden) timer = setTimeout(set, patience, false)
    else set(true)
  }
  // In the capture phase: some of them are dispatched on the document and do not bubble.
  for (const event of events) addEventListener(event, look, true)
  look({ type: '' })

  return () => {
    clearTimeout(timer)
    for (const event of events) removeEventListener(event, look, true)
  }
}
