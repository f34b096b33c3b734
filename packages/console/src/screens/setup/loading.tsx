/** Stays invisible for 150 ms: most answers come sooner, and a flash of grey would be noise. */
export function Loading() {
  return (
    <main
      className="mx-auto grid max-w-form animate-appear gap-24 px-gutter py-48"
      role="status"
      aria-label="Asking the server"
    >
      <span className="size-24 rounded-control bg-hover" />
      <span className="h-32 w-2/3 rounded-chip bg-hover" />
      <span className="h-12 w-full rounded-chip bg-hover" />
      <span className="h-12 w-1/2 rounded-chip bg-hover" />
    </main>
  )
}
