/** The focus before the first of several dialogs: a dialog that replaces another one restores it instead. */
let outside: Element | null = null

/** Remembers the focused element when a dialog opens, and restores it unless another element has taken the focus. */
export function rememberFocus(): () => void {
  const opener = document.activeElement
  if (opener && opener !== document.body && !opener.closest('[data-modal]')) outside = opener
  return () => {
    const isTaken = document.activeElement !== null && document.activeElement !== document.body
    const target = opener?.isConnected && opener !== document.body ? opener : outside
    if (!isTaken && target instanceof HTMLElement) target.focus()
  }
}
