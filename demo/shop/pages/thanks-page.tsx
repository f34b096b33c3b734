import { Link } from '../parts/link.tsx'

export function ThanksPage() {
  return (
    <section className="narrow thanks">
      <svg viewBox="0 0 120 80" width="168" height="112" aria-hidden="true">
        <rect
          x="14"
          y="10"
          width="92"
          height="60"
          rx="4"
          fill="var(--accent)"
          stroke="currentColor"
          strokeWidth="4"
        />
        <path
          d="M16 13l44 33 44-33"
          fill="none"
          stroke="currentColor"
          strokeWidth="4"
          strokeLinejoin="round"
        />
      </svg>
      <h1>It is on its way</h1>
      <p>Somebody in the workshop is putting on an apron right now.</p>
      <Link to="/" className="button">
        Back to the shop
      </Link>
    </section>
  )
}
