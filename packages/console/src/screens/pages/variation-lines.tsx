import { useQuery } from '@tanstack/react-query'
import { type VitalName, vitalBoundaries } from '@telltale/core/telemetry/vitals'
import { targetedFlagQuery } from '../../api/flag-configs.ts'
import type { PageGroup } from '../../api/pages.ts'
import { Distribution } from '../../charts/distribution.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { vitalText } from '../../ui/text/measure-text.ts'
import { vitalTitles } from '../../ui/text/vital-names.ts'
import { Variation } from '../../ui/variation.tsx'

const colors = ['v0', 'v1', 'v2', 'v3', 'v4', 'v5'] as const

type VariationLinesProps = { flag: string; groups: readonly PageGroup[]; vital: VitalName }

/** The two most frequent variations overlaid. Colours follow their order in the flag. */
export function VariationLines({ flag, groups, vital }: VariationLinesProps) {
  const { project } = useScope()
  const { data } = useQuery(targetedFlagQuery({ project, flag }))
  const found = groups.filter(({ value, bins }) => value !== '' && bins.some(({ count }) => count > 0))
  const shown = found.slice(0, 2).map((group, index) => {
    const place = data?.variations.findIndex(({ key }) => key === group.value) ?? -1
    return { ...group, order: place < 0 ? index : place }
  })
  if (shown.length < 2) {
    return (
      <p className="border-line border-b px-14 py-12 text-pretty text-text-2">
        {found.length === 0
          ? `No ${vital} measurements for this flag.`
          : 'All measured users had the same variation, so there is nothing to compare.'}
      </p>
    )
  }
  return (
    <div className="grid gap-8 border-line border-b px-14 py-12">
      <p className="flex flex-wrap gap-x-16 gap-y-4 text-12">
        {shown.map(({ value, order }) => (
          <Variation key={value} order={order} label={value} isKey />
        ))}
      </p>
      <Distribution
        label={`${vitalTitles[vital]} with ${shown.map(({ value }) => value).join(' and ')}, as shares of each variation's views`}
        series={shown.map(({ value, order, bins }) => ({
          label: value,
          color: colors[order % colors.length] ?? 'v0',
          bins,
        }))}
        boundaries={vitalBoundaries[vital]}
        format={(value) => vitalText(vital, value)}
      />
    </div>
  )
}
