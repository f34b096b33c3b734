/** The initial focus of a dialog: its first field, or the dialog itself if it has none. */
export function focusFirst(event: Event): void {
  event.preventDefault()
  const dialog = event.currentTarget ?? event.target
  if (!(dialog instanceof HTMLElement)) return
  const field = dialog.querySelector<HTMLElement>('input:not([type=hidden], [readonly]), textarea, select')
  const target = field ?? dialog
  target.focus()
}
