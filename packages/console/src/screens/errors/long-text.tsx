import { useState } from 'react'

type LongTextProps = {
  text: string
  /** Characters shown at first. */
  lines: 2 | 3 | 4
  className?: string
}

const clamps = { 2: 'line-clamp-2', 3: 'line-clamp-3', 4: 'line-clamp-4' }
/** Shorter texts fit into the lines at any width of the console. */
const certainlyFits = 120
/** The maximum that is rendered before the text is expanded. */
const drawn = 1_000

/** A message of any length: its beginning, and the rest on demand. */
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
