import { useQuery } from '@tanstack/react-query'
import type { VitalName } from '@telltale/core/telemetry/vitals'
import { elementsQuery, type PageElement } from '../../api/pages.ts'
import type { Question } from '../../api/question.ts'
import { Panel } from '../../ui/panel.tsx'
import { Async, Empty } from '../../ui/states.tsx'
import type { Column } from '../../ui/table/column.ts'
import { PlainTable } from '../../ui/table/plain-table.tsx'
import { countText, shareText } from '../../ui/text/measure-text.ts'
import { sampledNote } from '../../ui/text/sample-text.ts'
import { VitalValue } from '../../ui/text/vital-value.tsx'

const titles: Readonly<Record<VitalName, string>> = {
  LCP: 'Largest elements',
  INP: 'Slow elements',
  CLS: 'Shifting elements',
  FCP: 'Parts of the first paint',
  TTFB: 'Parts of the first byte',
}

type ElementsPanelProps = { question: Question; page: string; vital: VitalName }

/** The elements that browsers attribute a vital to. */
export function ElementsPanel({ question, page, vital }: ElementsPanelProps) {
  const elements = useQuery(elementsQuery(question, { page, vital }))
  return (
    <Panel title={titles[vital]} note={sampledNote(`${vital} by element`, elements.data)} flush>
      <Async
        of={elements}
        isEmpty={({ elements }) => elements.every(({ element }) => element === '')}
        empty={
          <Empty title="No elements reported">
            {vital === 'FCP' || vital === 'TTFB'
              ? 'Browsers do not report an element for this vital.'
              : 'No browser reported one in this time range.'}
          </Empty>
        }
      >
        {({ elements }) => (
          <PlainTable
            label={`Elements of ${vital}`}
            rows={elements}
            rowId={({ element }) => element}
            columns={columnsOf(vital)}
          />
        )}
      </Async>
    </Panel>
  )
}

const columnsOf = (vital: VitalName): readonly Column<PageElement>[] => [
  {
    id: 'element',
    header: 'Element',
    cell: ({ element }) => (
      <span className="block truncate font-code text-12" title={element}>
        {element || <span className="font-ui text-text-3">not reported</span>}
      </span>
    ),
  },
  {
    id: 'slow',
    header: 'Share of slow views',
    align: 'end',
    cell: ({ shareOfSlow }) =>
      shareOfSlow === null ? <span className="text-text-3">–</span> : shareText(shareOfSlow),
  },
  {
    id: 'p75',
    header: `${vital} p75`,
    align: 'end',
    cell: ({ p75, count }) => <VitalValue name={vital} value={p75} count={count} />,
  },
  { id: 'measured', header: 'Measured', align: 'end', cell: ({ count }) => countText(count) },
]
