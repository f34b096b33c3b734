import type { Chip, Filter } from '@telltale/core/query/filter'
import type { PageVital } from '../../api/pages.ts'
import type { Question } from '../../api/question.ts'
import { SuspectsPanel } from '../../features/suspects/suspects-panel.tsx'
import { pageChip } from '../../ui/text/page-chip.ts'
import { slowOf } from './slow-of.ts'

type VitalSuspectsProps = { question: Question; filter: Filter; page: string; vital: PageVital | undefined }

/** Flags for which the page is slow for more users. */
export function VitalSuspects({ question, filter, page, vital }: VitalSuspectsProps) {
  const slow = vital && slowOf(vital)
  if (vital === undefined || slow === undefined) return null
  const field = fields[vital.name]
  const measured = (operator: Chip['operator'], value: number): Chip => ({
    field,
    key: '',
    operator,
    values: [String(value)],
    isNegated: false,
  })
  return (
    <SuspectsPanel
      question={question}
      filter={filter}
      words={slow.words}
      note={`flags and pairs of flags of users with ${slow.words} here`}
      among={[pageChip(page), measured('>=', 0)]}
      of={[pageChip(page), measured('>', slow.over)]}
      metric={field}
    />
  )
}

const fields = { LCP: 'lcp', INP: 'inp', CLS: 'cls', FCP: 'fcp', TTFB: 'ttfb' } as const
