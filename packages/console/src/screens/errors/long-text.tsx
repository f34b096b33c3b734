import { useState } from 'react'

type LongTextProps = {
  text: string
  /** So many are shown at first. */
  lines: 2 | 3 | 4
  className?: string
}

const clamps = { 2: 'line-clamp-2', 3: 'line-clamp-3', 4: 'line-clamp-4' }
/** What is shorter fits into the lines, at any width that the console has. */
const certainlyFits = 120
/** What is drawn at all until somebody asks for the whole. */
const drawn = 1_000

/** A message of any length: its beginning, and the whole on demand. */
export function LongText({ text, lines, className = '' }: LongTextProps) {
  const [isWhole, setWhole] = useState(false)
  const isLong = text.length > certainlyFits || text.includes('\n')
  return (
    <div className="grid min-w-0 justify-items-start gap-2">
      <p
        className={`max-h-[60vh] max-w-full overflow-y-auto whitespace-pre-wrap [overflow-wrap:anywhere] ${isWhole ? '' : clamps[lines]} ${className}`}
      >
        {isWhole ? text : text.slice(0, drawn)}
      </p>
      {isLong && (
        <button
          type="button"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
          className="min-h-24 cursor-pointer text-12 text-accent hover:underline"
        >
          {isWhole ? 'Show less' : 'Show all'}
        </button>
      )}
    </div>
  )
}
