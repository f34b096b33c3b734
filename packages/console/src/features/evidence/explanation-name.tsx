import { Link } from '@tanstack/react-router'
import { type Chip, printFilter } from '@telltale/core/query/filter'
import type { GapExplanation } from '../../api/impact.ts'
import { useScope } from '../../shell/scope-context.ts'
import type { TimeRange } from '../../shell/time-range.ts'
import { keyOf } from '../../ui/text/function-key.ts'

export interface EvidenceRef {
  env: string
  flag: string
  control: string
  treatment: string
  /** The period of the evidence. */
  t: TimeRange
}

const fieldNames = { browser: 'Browser', device: 'Device', country: 'Country', version: 'Version' } as const
const look = 'min-w-0 break-words text-accent hover:underline'

/** A contributor as a link to its screen, filtered to users of the treatment. */
export function ExplanationName({ of, place }: { of: GapExplanation; place: EvidenceRef }) {
  const { project } = useScope()
  const { env, flag, control, treatment, t } = place
  const read: Chip = { field: 'flag', key: flag, operator: 'is', values: [treatment], isNegated: false }
  const q = printFilter({ chips: [read], words: [] })
  if (of.issue !== null) {
    const { group, type, message, culprit } = of.issue
    const name = [type, message].filter((text) => text !== '').join(': ')
    return (
      <span className="grid min-w-0">
        <Link
          to="/p/$project/errors/$issue"
          params={{ project, issue: group }}
          search={{ env, t, q }}
          className={look}
        >
          {name || 'Error without a message'}
        </Link>
        {culprit && <code className="truncate text-12 text-text-3">{culprit}</code>}
      </span>
    )
  }
  if (of.request !== null) {
    const { method, host, endpoint } = of.request
    return (
      <Link
        to="/p/$project/requests/$endpoint"
        params={{ project, endpoint }}
        search={{ env, t, q, method, host }}
        className={look}
      >
        <code className="break-all">{`${method} ${host}${endpoint}`.trim()}</code>{' '}
        {of.kind === 'failing-request' ? 'fails' : 'takes longer'}
      </Link>
    )
  }
  if (of.frame !== null) {
    const { function: raw, file, original } = of.frame
    const name = original?.function || raw || 'an anonymous function'
    const words = (
      <>
        <code className="break-all">{name}</code>
        <span className="block truncate text-12 text-text-3">{original?.file ?? file}</span>
      </>
    )
    if (of.page === null) return <span>{words}</span>
    return (
      <Link
        to="/p/$project/profiles/$page"
        params={{ project, page: of.page }}
        search={{ env, t, view: 'difference', flag, control, treatment, fn: keyOf(of.frame) }}
        className={look}
      >
        {words}
      </Link>
    )
  }
  return <SliceName of={of} place={place} read={read} />
}

type SliceNameProps = { of: GapExplanation; place: EvidenceRef; read: Chip }

function SliceName({ of, place: { env, t }, read }: SliceNameProps) {
  const { project } = useScope()
  if (of.slice === null) return <span>not recorded</span>
  const { field, value } = of.slice
  const name = `${fieldNames[field]} ${value || 'not recorded'}`
  if (value === '') return <span>{name}</span>
  const chip: Chip = { field, key: '', operator: 'is', values: [value], isNegated: false }
  return (
    <Link
      to="/p/$project/sessions"
      params={{ project }}
      search={{ env, t, q: printFilter({ chips: [read, chip], words: [] }) }}
      className={look}
    >
      {name}
    </Link>
  )
}
