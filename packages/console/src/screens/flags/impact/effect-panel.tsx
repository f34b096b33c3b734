import type { ImpactMetric } from '../../../api/impact.ts'
import { isSplitWrong } from '../../../features/impact/metric-evidence.ts'
import { familyText } from '../../../features/impact/metric-words.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Menu, MenuCheck, MenuItem, MenuLabel, MenuLine } from '../../../ui/overlay/menu.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Empty } from '../../../ui/states.tsx'
import { fullCountText } from '../../../ui/text/measure-text.ts'
import { EffectTable } from './effect-table.tsx'
import { type Compared, useImpactSearch } from './use-compared.ts'

const serverMetrics: ReadonlySet<string> = new Set([
  'users-with-a-server-error',
  'server-requests-p75',
  'server-requests-p95',
  'failed-server-requests',
])

type EffectPanelProps = {
  compared: Compared
  /** All metrics, worst first, and the shown subset. */
  all: readonly ImpactMetric[]
  shown: readonly ImpactMetric[]
  chosen: string | undefined
}

export function EffectPanel({ compared, all, shown, chosen }: EffectPanelProps) {
  const { comparison } = compared
  return (
    <Panel
      title={
        <>
          Effect of <code>{comparison.treatment}</code>
        </>
      }
      note="relative change, interval holds at any time"
      actions={<MetricPicker all={all} shown={shown} />}
      flush
      footer={[familyText(all), hiddenText(all.length - shown.length), withoutUserText(compared, shown)]
        .filter(Boolean)
        .join(' ')}
    >
      {isSplitWrong(comparison) && (
        <div className="px-14 pt-12">
          <Notice
            tone="warn"
            title={faultTitles[comparison.split]}
            detail={`${faultTexts[comparison.split]} Until it is fixed, these results are not reliable.`}
          />
        </div>
      )}
      {shown.length === 0 ? (
        <Empty title="None of the selected metrics were measured">Select other metrics above.</Empty>
      ) : (
        <EffectTable compared={compared} metrics={shown} chosen={chosen} />
      )}
    </Panel>
  )
}

const faultTitles = {
  'as-designed': '',
  'split-wrong': 'Sample ratio mismatch',
  'people-missing': 'Users of one arm are missing',
}
const faultTexts = {
  'as-designed': '',
  'split-wrong': 'The arms differ in size from the planned split: users are lost or moved between arms.',
  'people-missing': 'Both arms were assigned as planned, but fewer users of one arm sent telemetry.',
}

function hiddenText(hidden: number) {
  if (hidden === 0) return undefined
  return `${hidden === 1 ? '1 more metric was' : `${hidden} more metrics were`} not measured or not selected.`
}

/** Beside the metrics of servers only. */
function withoutUserText({ impact }: Compared, shown: readonly ImpactMetric[]) {
  const { errors = 0, requests = 0 } = impact.compared?.withoutUser ?? {}
  if (errors + requests === 0 || !shown.some(({ metric }) => serverMetrics.has(metric))) return undefined
  const parts = [
    ...(errors > 0 ? [`${fullCountText(errors)} server ${errors === 1 ? 'error' : 'errors'}`] : []),
    ...(requests > 0 ? [`${fullCountText(requests)} server ${requests === 1 ? 'request' : 'requests'}`] : []),
  ]
  return `${parts.join(' and ')} of the last 24 hours had no user and count for no variation.`
}

function MetricPicker({ all, shown }: { all: readonly ImpactMetric[]; shown: readonly ImpactMetric[] }) {
  const { search, set } = useImpactSearch()
  const keys = shown.map(({ metric }) => metric)
  const toggle = (key: string, isOn: boolean) =>
    set({ metrics: (isOn ? [...keys, key] : keys.filter((one) => one !== key)).join(',') || 'none' })
  return (
    <Menu
      align="end"
      trigger={
        <Button size="small" icon="plus">
          Metric
        </Button>
      }
    >
      <MenuLabel>Shown</MenuLabel>
      {all.map(({ metric, name }) => (
        <MenuCheck key={metric} checked={keys.includes(metric)} onChecked={(isOn) => toggle(metric, isOn)}>
          {name}
        </MenuCheck>
      ))}
      {search.metrics !== undefined && (
        <>
          <MenuLine />
          <MenuItem onSelect={() => set({ metrics: undefined })}>Show measured metrics</MenuItem>
        </>
      )}
    </Menu>
  )
}
