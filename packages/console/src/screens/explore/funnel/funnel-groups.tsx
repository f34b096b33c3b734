import type { Funnel, FunnelGroup } from '../../../api/funnels.ts'
import type { FunnelSearch } from '../../../features/explore/behaviour-search.ts'
import { splitOf } from '../../../features/explore/split-picker.tsx'
import { Button } from '../../../ui/button.tsx'
import { fieldLabel } from '../../../ui/filter/field-words.ts'
import { Select } from '../../../ui/form/select.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { PlainTable } from '../../../ui/table/plain-table.tsx'
import { countText, durationText } from '../../../ui/text/measure-text.ts'
import { pointsText } from '../../../ui/text/measure-words.ts'
import { ExcludedNote } from '../excluded-note.tsx'
import { ShareWithInterval } from '../share-with-interval.tsx'

type FunnelGroupsProps = {
  funnel: Funnel
  texts: readonly string[]
  search: FunnelSearch
  onSearch: (change: FunnelSearch) => void
  unit: string
}

/** One table per step after the first: the groups of the split, and their difference to the control. */
export function FunnelGroups({ funnel, texts, search, onSearch, unit }: FunnelGroupsProps) {
  const { groups, control, others, excluded } = funnel
  const split = splitOf(search.by)
  return (
    <Panel
      title={split === undefined ? 'Groups' : `By ${fieldLabel(split)}`}
      note={
        control === null
          ? '95% intervals'
          : 'Difference of the share of the first step, with an interval that stays valid however often you look'
      }
      actions={
        control !== null && (
          <Select
            label="Control"
            hideLabel
            options={groups.map(({ value }) => ({ value, label: `compared with ${value}` }))}
            value={control}
            onValue={(next) => onSearch({ control: next })}
          />
        )
      }
      footer={
        (excluded !== null || others.values > 0) && (
          <>
            <ExcludedNote excluded={excluded} unit={unit} />
            {others.values > 0 && ` ${others.values} more groups with ${countText(others.count)} ${unit}.`}
          </>
        )
      }
      flush
    >
      {texts.slice(1).map((text, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps are known by their place.
        <div key={index} className="border-line border-b last:border-b-0">
          <h3 className="px-14 pt-10 font-medium">
            Step {index + 2} <code className="text-12 text-text-2">{text}</code>
          </h3>
          <StepGroups
            groups={groups}
            step={index + 1}
            unit={unit}
            isCompared={control !== null}
            onLost={(value) => onSearch({ step: index + 2, value, outcome: undefined })}
          />
        </div>
      ))}
    </Panel>
  )
}

type StepGroupsProps = {
  groups: readonly FunnelGroup[]
  /** From 0. */
  step: number
  unit: string
  isCompared: boolean
  onLost: (value: string) => void
}

function StepGroups({ groups, step, unit, isCompared, onLost }: StepGroupsProps) {
  const rows = groups.flatMap(({ value, steps }) => {
    const [first, before, now] = [steps[0], steps[step - 1], steps[step]]
    return first && before && now ? [{ value, first, now, lost: before.count - now.count }] : []
  })
  return (
    <PlainTable<(typeof rows)[number]>
      label={`Groups at step ${step + 1}`}
      rows={rows}
      rowId={({ value }) => value}
      columns={[
        {
          id: 'value',
          header: 'Group',
          cell: ({ value }) => <code className="block truncate text-12">{value || 'none'}</code>,
        },
        {
          id: 'count',
          header: unit === 'users' ? 'Users' : 'Sessions',
          align: 'end',
          cell: ({ first, now }) => (
            <span>
              {countText(now.count)} <span className="text-text-3">of {countText(first.count)}</span>
            </span>
          ),
        },
        {
          id: 'share',
          header: 'Of the first',
          align: 'end',
          cell: ({ value, now }) => <ShareWithInterval of={now.ofFirst} label={value} />,
        },
        ...(isCompared
          ? [
              {
                id: 'difference',
                header: 'Difference',
                align: 'end' as const,
                cell: ({ now }: (typeof rows)[number]) => <Difference of={now.difference} />,
              },
            ]
          : []),
        {
          id: 'time',
          header: 'Median time',
          align: 'end',
          cell: ({ now }) => (now.medianTime === null ? 'too few' : durationText(now.medianTime)),
        },
        {
          id: 'lost',
          header: 'Lost',
          align: 'end',
          cell: ({ value, lost }) =>
            lost === 0 ? (
              '0'
            ) : (
              <Button
                look="quiet"
                size="small"
                aria-label={`Sessions of ${lost} ${unit} of ${value || 'none'} lost before step ${step + 1}`}
                onClick={() => onLost(value)}
              >
                {countText(lost)}
              </Button>
            ),
        },
      ]}
    />
  )
}

function Difference({ of }: { of: FunnelGroup['steps'][number]['difference'] }) {
  if (of === null) return <span className="text-text-3">–</span>
  const isClear = of.lower > 0 || of.upper < 0
  return (
    <span>
      <span className={isClear ? 'font-strong' : ''}>{pointsText(of.change)}</span>{' '}
      <span className="text-12 text-text-3">
        {pointsText(of.lower)} to {pointsText(of.upper)}
      </span>
    </span>
  )
}
