import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { emptyFilter, printField } from '@telltale/core/query/filter'
import type { VitalName } from '@telltale/core/telemetry/vitals'
import { breakdownQuery } from '../../api/pages.ts'
import type { Question } from '../../api/question.ts'
import { useStandOut } from '../../features/telltale/use-stand-out.ts'
import { Segmented } from '../../ui/form/choice.tsx'
import { Select } from '../../ui/form/select.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async, Empty, Skeleton } from '../../ui/states.tsx'
import { filterOfPage } from '../../ui/text/page-chip.ts'
import { sampleText } from '../../ui/text/sample-text.ts'
import { BreakdownTable } from './breakdown-table.tsx'
import { breakdowns, type PageSearch } from './pages-search.ts'
import { VariationLines } from './variation-lines.tsx'

const titles = {
  variation: 'Variation',
  device: 'Device',
  browser: 'Browser',
  country: 'Country',
  version: 'Version',
} satisfies Record<(typeof breakdowns)[number], string>

type BreakdownPanelProps = { question: Question; page: string; vital: VitalName }

/** A vital of the page by attributes of its visitors and by variation. Every row is a filter. */
export function BreakdownPanel({ question, page, vital }: BreakdownPanelProps) {
  const { by = 'variation', flag } = useSearch({ from: '/p/$project/pages/$page' })
  const navigate = useNavigate({ from: '/p/$project/pages/$page' })
  const set = (change: PageSearch) =>
    void navigate({ search: (now) => ({ ...now, ...change }), replace: true, resetScroll: false })

  return (
    <Panel title={`${vital} by`} flush>
      <div className="border-line border-b px-14 py-8">
        <Segmented
          label="Group by"
          choices={breakdowns.map((value) => ({ value, label: titles[value] }))}
          value={by}
          onValue={(next) => set({ by: next })}
        />
      </div>
      {by === 'variation' ? (
        <ByVariation
          question={question}
          page={page}
          vital={vital}
          flag={flag}
          onFlag={(next) => set({ flag: next })}
        />
      ) : (
        <ByField question={question} page={page} vital={vital} field={by} />
      )}
    </Panel>
  )
}

type ByFieldProps = BreakdownPanelProps & { field: 'device' | 'browser' | 'country' | 'version' }

function ByField({ question, page, vital, field }: ByFieldProps) {
  const groups = useQuery(breakdownQuery(question, { page, by: field }))
  return (
    <Async of={groups}>
      {({ groups, sample }) => (
        <>
          <BreakdownTable groups={groups} vital={vital} by={{ field, key: '' }} title={titles[field]} />
          <Estimated sample={sample} />
        </>
      )}
    </Async>
  )
}

type ByVariationProps = BreakdownPanelProps & { flag: string | undefined; onFlag: (flag: string) => void }

function ByVariation({ question, page, vital, flag, onFlag }: ByVariationProps) {
  const {
    query,
    isLoading,
    flags = [],
    standsOut,
  } = useStandOut({
    ...question,
    filter: filterTextOfPage(page),
  })
  if (isLoading && flag === undefined) return <Async of={query}>{() => <Skeleton />}</Async>
  if (flags.length === 0 && flag === undefined) {
    return (
      <Empty title="No flags on this page">
        Flags that the page evaluates with the same client appear here, with all variations side by side.
      </Empty>
    )
  }
  const chosen = flag ?? standsOut
  const known = chosen === undefined || flags.includes(chosen) ? flags : [chosen, ...flags]
  return (
    <>
      <div className="border-line border-b px-14 py-8">
        <Select
          label="Flag"
          hideLabel
          options={[
            ...(chosen === undefined ? [{ value: '', label: 'Choose a flag' }] : []),
            ...known.map((key) => ({ value: key, label: key })),
          ]}
          value={chosen ?? ''}
          onValue={onFlag}
        />
      </div>
      {chosen === undefined ? (
        <Empty title="Nothing differs">Every user of this page got the same variation of each flag.</Empty>
      ) : (
        <OfFlag question={question} page={page} vital={vital} flag={chosen} />
      )}
    </>
  )
}

const filterTextOfPage = (page: string) => filterOfPage(emptyFilter, page)

function OfFlag({ question, page, vital, flag }: BreakdownPanelProps & { flag: string }) {
  const by = printField({ field: 'flag', key: flag })
  const groups = useQuery(breakdownQuery(question, { page, by, bins: vital }))
  return (
    <Async of={groups}>
      {({ groups, sample }) => (
        <>
          <VariationLines flag={flag} groups={groups} vital={vital} />
          <BreakdownTable groups={groups} vital={vital} by={{ field: 'flag', key: flag }} title="Variation" />
          <Estimated sample={sample} />
        </>
      )}
    </Async>
  )
}

/** Groups may be counted in a sample where the whole page is not. */
function Estimated({ sample }: { sample: number }) {
  return <p className="px-14 py-8 text-12 text-text-3 empty:hidden">{sampleText(sample)}</p>
}
