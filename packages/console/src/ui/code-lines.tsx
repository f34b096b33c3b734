interface Code {
  /** The number of the first line. */
  first: number
  lines: readonly string[]
}

type CodeLinesProps = {
  code: Code
  line: number
  column: number
  label: string
  /** What the marked line means: a problem, or only a position. */
  tone?: 'bad' | 'plain'
}

const tones = {
  bad: {
    line: 'bg-bad-soft shadow-[inset_2px_0_0_var(--bad-fill)]',
    number: 'text-bad',
    name: 'decoration-bad-fill',
  },
  plain: {
    line: 'bg-selected shadow-[inset_2px_0_0_var(--accent)]',
    number: 'text-text-2',
    name: 'decoration-accent',
  },
}

/** The lines around a position, with the line and the name at the column marked. */
export function CodeLines({ code, line, column, label, tone = 'bad' }: CodeLinesProps) {
  const look = tones[tone]
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
      tabIndex={0}
      className="overflow-x-auto border-line border-t bg-sunken py-6 font-code text-12 -outline-offset-2"
    >
      <ol className="w-max min-w-full">
        {code.lines.map((text, index) => {
          const number = code.first + index
          const isHere = number === line
          return (
            <li
              key={number}
              {...(isHere ? { 'aria-current': 'location' } : {})}
              className={`flex min-h-18 pr-14 ${isHere ? look.line : ''}`}
            >
              <span
                className={`w-48 shrink-0 select-none pr-12 text-right ${isHere ? look.number : 'text-text-3'}`}
              >
                {number}
              </span>
              <pre className="[tab-size:2]">
                {isHere ? <Marked text={text} column={column} look={look.name} /> : text || ' '}
              </pre>
            </li>
          )
        })}
      </ol>
    </section>
  )
}

/** The identifier that starts at the column, or one character that is not part of one. */
function Marked({ text, column, look }: { text: string; column: number; look: string }) {
  const from = column - 1
  const length = /^[\w$#]+/.exec(text.slice(from))?.[0].length ?? 1
  if (from < 0 || from >= text.length) return text
  return (
    <>
      {text.slice(0, from)}
      <b className={`font-strong underline decoration-2 underline-offset-2 ${look}`}>
        {text.slice(from, from + length)}
      </b>
      {text.slice(from + length)}
    </>
  )
}
