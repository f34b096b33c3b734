/** A dash in a column with a header; words elsewhere. */
export function NoneFailed() {
  return (
    <span className="text-text-3">
      <span aria-hidden="true" className="max-wide:hidden">
        –
      </span>
      <span className="wide:sr-only">none failed</span>
    </span>
  )
}
