import { useQuery } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { type LongFrames, longFramesQuery } from '../../api/pages.ts'
import type { Question } from '../../api/question.ts'
import { Panel } from '../../ui/panel.tsx'
import { Async, Empty } from '../../ui/states.tsx'
import type { Column } from '../../ui/table/column.ts'
import { PlainTable } from '../../ui/table/plain-table.tsx'
import { countOf, countText, durationText } from '../../ui/text/measure-text.ts'
import { sampledNote } from '../../ui/text/sample-text.ts'

/** The scripts behind the page's long animation frames, which block it from responding. */
export function LongFramesPanel({ question, page }: { question: Question; page: string }) {
  const found = useQuery(longFramesQuery(question, page))
  return (
    <Panel title="Long frames" note={found.data && sampledNote(noteOf(found.data), found.data)} flush>
      <Async
        of={found}
        isEmpty={({ frames }) => frames === 0}
        empty={
          <Empty title="No long frames">
            No frame took longer than 50&nbsp;ms, or these browsers do not report them.
          </Empty>
        }
      >
        {({ scripts }) =>
          scripts.length === 0 ? (
            <Empty title="No scripts reported">Browsers did not report the scripts of these frames.</Empty>
          ) : (
            <PlainTable label="Scripts in long frames" rows={scripts} rowId={idOf} columns={columns} />
          )
        }
      </Async>
    </Panel>
  )
}

function noteOf({ frames, p75, blocking }: LongFrames): string {
  if (frames === 0) return ''
  const long =
    p75 === null
      ? `too few for a p75 (${countText(frames)} of ${limits.percentileMinimum})`
      : `p75 ${durationText(p75)}`
  return `${countOf(frames, 'frame')}, ${long}, ${durationText(blocking)} blocked a view`
}

type Script = LongFrames['scripts'][number]

const idOf = ({ source, function: name }: Script) => `${source} ${name}`

const columns: readonly Column<Script>[] = [
  {
    id: 'function',
    header: 'Function',
    cell: ({ source, function: name }) => (
      <span className="block truncate font-code text-12" title={`${name}\n${source}`}>
        {name || 'anonymous'} <span className="text-text-3">{source.split('/').at(-1)}</span>
      </span>
    ),
  },
  { id: 'frames', header: 'Frames', align: 'end', cell: ({ count }) => countText(count) },
  { id: 'total', header: 'Total', align: 'end', cell: ({ total }) => durationText(total) },
]
