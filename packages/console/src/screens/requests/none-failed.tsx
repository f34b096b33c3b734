/** A dash in a column whose head says of what; words where there is none. */
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
