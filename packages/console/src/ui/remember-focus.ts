/** What had the focus before the first of the dialogs: one may take the place of another, and gives it back in its stead. */
let outside: Element | null = null

/** Remembers what has the focus as a dialog opens. Gives it back there, unless something else has taken it meanwhile. */
export function rememberFocus(): () => void {
  const opener = document.activeElement
  if (opener && opener !== document.body && !opener.closest('[data-modal]')) outside = opener
  return () => {
    const isTaken = document.activeElement !== null && document.activeElement !== document.body
    const target = opener?.isConnected && opener !== document.body ? opener : outside
    if (!isTaken && target instanceof HTMLElement) target.focus()
  }
}
