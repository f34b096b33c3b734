import type { ImportedFlags } from '../../../api/flag-imports.ts'
import { PlainTable } from '../../../ui/table/plain-table.tsx'
import { Badge } from '../../../ui/tag.tsx'
import { countOf } from '../../../ui/text/measure-text.ts'

type Row = ImportedFlags['flags'][number]
type Note = ImportedFlags['notes'][number]

const outcomes = {
  carried: { label: 'Carried', tone: 'ok' },
  reassigned: { label: 'Reassigned', tone: 'plain' },
  approximated: { label: 'Approximated', tone: 'warn' },
  'left-out': { label: 'Left out', tone: 'bad' },
} as const

const actions = { create: 'Create', update: 'Update', keep: 'Unchanged' } as const

/** What an import does to each flag, and every difference by kind. */
export function ImportReport({ report }: { report: ImportedFlags }) {
  const { flags, segments, notes, notesInAll } = report
  const kinds = new Map<string, Note[]>()
  for (const note of notes) kinds.set(note.code, [...(kinds.get(note.code) ?? []), note])

  return (
    <>
      <p>
        {countOf(flags.length, 'flag')}, {countOf(segments.length, 'segment')}.
      </p>
      {flags.length > 0 && (
        <div className="max-h-[30vh] overflow-y-auto rounded-panel border border-line">
          <PlainTable<Row> label="Imported flags" rows={flags} rowId={({ key }) => key} columns={columns} />
        </div>
      )}
      {[...kinds].map(([code, its]) => (
        <section key={code} className="grid gap-4">
          <h3 className="font-medium">{its[0]?.why}</h3>
          <ul className="grid max-h-[20vh] list-disc gap-2 overflow-y-auto pl-16 text-text-2">
            {its.map(({ flag, segment, what }) => (
              <li key={`${flag} ${segment} ${what}`} className="wrap-anywhere">
                <code>{flag ?? segment}</code> {what}
              </li>
            ))}
          </ul>
        </section>
      ))}
      {notesInAll > notes.length && <p>{notesInAll - notes.length} more differences are not listed.</p>}
    </>
  )
}

const columns = [
  { id: 'key', header: 'Flag', cell: ({ key }: Row) => <code>{key}</code> },
  {
    id: 'outcome',
    header: 'Outcome',
    cell: ({ outcome }: Row) => <Badge tone={outcomes[outcome].tone}>{outcomes[outcome].label}</Badge>,
  },
  {
    id: 'action',
    header: 'Action',
    cell: ({ action, proposed }: Row) => (proposed ? `${actions[action]} after approval` : actions[action]),
  },
]
