import { Link } from '@tanstack/react-router'
import { type Chip, emptyFilter, type FieldRef, parseFilter, printFilter } from '@telltale/core/query/filter'
import type { VitalName } from '@telltale/core/telemetry/vitals'
import type { PageGroup, Vital } from '../../api/pages.ts'
import { chipOfValue } from '../../ui/filter/chip-of-value.ts'
import { Empty } from '../../ui/states.tsx'
import { PlainTable } from '../../ui/table/plain-table.tsx'
import { countText, shareText } from '../../ui/text/measure-text.ts'
import { VitalValue } from '../../ui/text/vital-value.tsx'

type BreakdownTableProps = {
  groups: readonly PageGroup[]
  vital: VitalName
  by: FieldRef
  title: string
}

export function BreakdownTable({ groups, vital: name, by, title }: BreakdownTableProps) {
  if (groups.length === 0) return <Empty title="No views in this time range" />
  return (
    <PlainTable
      label={`${name} by ${title.toLowerCase()}`}
      rows={groups}
      rowId={({ value }) => value}
      columns={[
        { id: 'value', header: title, cell: ({ value }) => <GroupLink value={value} by={by} /> },
        { id: 'views', header: 'Views', align: 'end', cell: ({ views }) => countText(views) },
        {
          id: 'p75',
          header: `${name} p75`,
          align: 'end',
          cell: (group) => <P75 name={name} vital={vitalOf(group, name)} />,
        },
        { id: 'good', header: 'Good', align: 'end', cell: (group) => goodText(vitalOf(group, name)) },
      ]}
    />
  )
}

const vitalOf = ({ vitals }: PageGroup, name: VitalName) => vitals.find((one) => one.name === name)

function P75({ name, vital }: { name: VitalName; vital: Vital | undefined }) {
  return <VitalValue name={name} value={vital?.p75 ?? null} count={vital?.count ?? 0} />
}

function goodText(vital: Vital | undefined): string {
  return vital?.good == null ? '–' : shareText(vital.good)
}

/** Filters the screen by the group. */
function GroupLink({ value, by }: { value: string; by: FieldRef }) {
  const text = value || (by.field === 'flag' ? 'not evaluated' : 'unknown')
  const chip = chipOfValue(by, value)
  if (!chip) return <span className="text-text-3">{text}</span>
  return (
    <Link
      from="/p/$project/pages/$page"
      to="."
      search={(now) => ({ ...now, q: withChip(now.q, chip) })}
      title={`Only ${text}`}
      className={`block truncate hover:underline ${value === '' ? 'text-text-2' : 'text-accent'}`}
    >
      {text}
    </Link>
  )
}

function withChip(q: string | undefined, chip: Chip): string {
  const parsed = parseFilter(q ?? '')
  const { chips, words } = parsed.ok ? parsed.result : emptyFilter
  const others = chips.filter(({ field, key }) => field !== chip.field || key !== chip.key)
  return printFilter({ chips: [...others, chip], words })
}
