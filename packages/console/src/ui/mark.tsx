export function Mark() {
  return (
    <svg className="size-24" viewBox="0 0 24 24" aria-hidden="true">
      <rect className="fill-ink" width="24" height="24" rx="6" />
      <path className="stroke-on-ink" d="M7 5v14" strokeWidth="2" strokeLinecap="round" />
      <path className="fill-on-ink" d="M8 8.2c3.5-1.8 5.5 1.6 10.5-.4-1.6 2.6-5.5 4.6-10.5 3.2z" />
    </svg>
  )
}
