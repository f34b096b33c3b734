import { diffConfigs } from '@telltale/core/changes/diff-configs'
import { type DiffLine, diffLines, foldSame } from '@telltale/core/changes/diff-lines'
import type { FlagConfigDraft } from '@telltale/core/contract/flag-config'

const looks = {
  same: { row: '', sign: '\u00a0', name: '' },
  less: { row: 'bg-bad-soft', sign: '−', name: 'Removed: ' },
  more: { row: 'bg-ok-soft', sign: '+', name: 'Added: ' },
}

type DiffViewProps = {
  /** Any value: anything but text is formatted as JSON. */
  before: unknown
  after: unknown
  label?: string
}

export function DiffView({ before, after, label }: DiffViewProps) {
  return <DiffLines lines={diffLines(textOf(before), textOf(after))} label={label} />
}

type ConfigDiffProps = { before: FlagConfigDraft | undefined; after: FlagConfigDraft; label?: string }

/** A flag before and after: rules are matched by id, shares by variation. */
export function ConfigDiff({ before, after, label }: ConfigDiffProps) {
  return <DiffLines lines={diffConfigs(before, after)} label={label} />
}

type DiffLinesProps = { lines: readonly DiffLine[]; label: string | undefined }

export function DiffLines({ lines, label = 'Changes' }: DiffLinesProps) {
  if (lines.every(({ kind }) => kind === 'same')) return <p className="text-text-2">No changes.</p>

  return (
    <section
      aria-label={label}
      className="min-w-0 rounded-control border border-line bg-surface py-4 font-code text-12"
    >
      {foldSame(lines).map((line, index) => {
        const look = looks[line?.kind ?? 'same']
        return (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: a diff never changes its order.
            key={index}
            className={`flex gap-8 px-14 py-1 ${look.row}`}
          >
            <span aria-hidden="true" className="text-text-3">
              {look.sign}
            </span>
            <span className="sr-only">{look.name}</span>
            <span
              className={`min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere] ${line ? '' : 'text-text-3'}`}
            >
              {line ? line.text : '⋯'}
            </span>
          </div>
        )
      })}
    </section>
  )
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}
