import type { Frame } from '../../../api/issues.ts'

type Code = NonNullable<NonNullable<Frame['original']>['code']>

type CodeLinesProps = { code: Code; line: number; column: number; label: string }

/** The lines around a place, that one marked, and in it the name where it happens. */
export function CodeLines({ code, line, column, label }: CodeLinesProps) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard.
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
              className={`flex min-h-18 pr-14 ${isHere ? 'bg-bad-soft shadow-[inset_2px_0_0_var(--bad-fill)]' : ''}`}
            >
              <span
                className={`w-48 shrink-0 select-none pr-12 text-right ${isHere ? 'text-bad' : 'text-text-3'}`}
              >
                {number}
              </span>
              <pre className="[tab-size:2]">
                {isHere ? <Marked text={text} column={column} /> : text || ' '}
              </pre>
            </li>
          )
        })}
      </ol>
    </section>
  )
}

/** The name that begins at the column, or one character that is no part of a name. */
function Marked({ text, column }: { text: string; column: number }) {
  const from = column - 1
  const length = /^[\w$#]+/.exec(text.slice(from))?.[0].length ?? 1
  if (from < 0 || from >= text.length) return text
  return (
    <>
      {text.slice(0, from)}
      <b className="font-strong underline decoration-2 decoration-bad-fill underline-offset-2">
        {text.slice(from, from + length)}
      </b>
      {text.slice(from + length)}
    </>
  )
}
