/** One tab of the toolbar. */
export interface Panel {
  label: string
  content: HTMLElement
  /** Called while it is shown, now and then. Leaves what has the focus in its place. */
  refresh(): void
  /** The toolbar is closed. */
  close?(): void
}
