import { diffLines, foldSame } from './diff.ts'

const looks = {
  same: { row: '', sign: '\u00a0', name: '' },
  less: { row: 'bg-bad-soft', sign: '−', name: 'Removed: ' },
  more: { row: 'bg-ok-soft', sign: '+', name: 'Added: ' },
}

type DiffViewProps = {
  /** Anything: what is no text is written as JSON. */
  before: unknown
  after: unknown
  label?: string
}

export function DiffView({ before, after, label = 'Changes' }: DiffViewProps) {
  const lines = diffLines(textOf(before), textOf(after))
  if (lines.every(({ kind }) => kind === 'same')) return <p className="text-text-2">Nothing changes.</p>

  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard.
      tabIndex={0}
      className="overflow-x-auto rounded-control border border-line bg-surface py-4 font-code text-12"
    >
      <div className="min-w-max">
        {foldSame(lines).map((line, index) => {
          const look = looks[line?.kind ?? 'same']
          return (
            <div
              // biome-ignore lint/suspicious/noArrayIndexKey: a diff is drawn once, in this order.
              key={index}
              className={`flex gap-8 px-14 py-1 ${look.row}`}
            >
              <span aria-hidden="true" className="text-text-3">
                {look.sign}
              </span>
              <span className="sr-only">{look.name}</span>
              <span className={`whitespace-pre ${line ? '' : 'text-text-3'}`}>{line ? line.text : '⋯'}</span>
            </div>
          )
        })}
      </div>
    </section>
  )
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}
