import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Chip, printFilter } from '@telltale/core/query/filter'
import { type Impact, type ImpactMetric, impactEvidenceQuery, impactQuery } from '../../../api/impact.ts'
import { EvidenceList, evidenceNote } from '../../../features/evidence/evidence-list.tsx'
import { hasEstimate, stateOf, wasMeasured, worstFirst } from '../../../features/impact/metric-evidence.ts'
import { ReplayMoments } from '../../../features/replays/replay-moments.tsx'
import { QualityPanel } from '../../../features/rollout/quality-panel.tsx'
import { useScope } from '../../../shell/scope-context.ts'
import { questionOf } from '../../../shell/use-question.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Async, Empty, Skeleton } from '../../../ui/states.tsx'
import { summaryIn } from '../environment-states.ts'
import { useConfigRef, useFlag } from '../flag-context.ts'
import { ByRulePanel } from './by-rule-panel.tsx'
import { ChoicesPanel, ExperimentPanel, LivedThroughPanel } from './choices-panel.tsx'
import { ComparisonHead } from './comparison-head.tsx'
import { EffectPanel } from './effect-panel.tsx'
import { GuardPanels } from './guard-panels.tsx'
import { HistoryPanel } from './history-panel.tsx'
import type { ImpactSearch } from './impact-search.ts'
import { SlicesPanel } from './slices-panel.tsx'
import { type Compared, comparedOf, isOfRollout, useImpactSearch } from './use-compared.ts'
import { WaitingNotice } from './waiting-notice.tsx'

/** Long enough for most decisions about a variation. */
const range = '7d'

/** Replays of users exposed to the variation: at errors, and at the first exposure. */
function VariationReplays({ variation }: { variation: string }) {
  const { project, environment } = useScope()
  const { key } = useFlag()
  const read: Chip = { field: 'flag', key, operator: 'is', values: [variation], isNegated: false }
  const place = { project, env: environment.key, range } as const
  const question = questionOf(place, printFilter({ chips: [read], words: [] }))
  const note = (
    <>
      with <code>{variation}</code>, 7 days
    </>
  )
  return (
    <>
      <ReplayMoments
        title="Replays of errors"
        note={note}
        question={question}
        of="error"
        none="No recordings with errors."
      />
      <ReplayMoments
        title="Replays from first exposure"
        note={note}
        question={question}
        of="exposure"
        none="No recordings with this variation."
      />
    </>
  )
}

/** The effect of each variation on its users. */
export function ImpactTab() {
  const { search } = useImpactSearch()
  const { split, control } = search
  const epoch = search.epoch === undefined ? undefined : String(search.epoch)
  const impact = useQuery(impactQuery(useConfigRef(), { split, epoch, control }))

  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)_330px] items-start gap-16 max-full:grid-cols-[minmax(0,1fr)]">
      <Async of={impact}>{(found) => <Found impact={found} search={search} />}</Async>
    </div>
  )
}

function Found({ impact, search }: { impact: Impact; search: ImpactSearch }) {
  const compared = comparedOf(impact, search)
  return (
    <>
      <div className="grid min-w-0 content-start gap-16">
        {compared === undefined ? <NothingToCompare impact={impact} /> : <Effects compared={compared} />}
      </div>
      <aside aria-label="Details" className="grid min-w-0 content-start gap-16">
        <GuardPanels />
        {compared && <ChoicesPanel compared={compared} />}
        {compared && <ExperimentPanel />}
        {compared && <LivedThroughPanel compared={compared} />}
        {compared && <VariationReplays variation={compared.comparison.treatment} />}
        <ByRulePanel />
      </aside>
    </>
  )
}

function Effects({ compared }: { compared: Compared }) {
  const { search } = useImpactSearch()
  const all = worstFirst(compared)
  const wanted = search.metrics?.split(',')
  const shown = all.filter((one) => (wanted === undefined ? wasMeasured(one) : wanted.includes(one.metric)))
  const chosen = all.find(({ metric }) => metric === search.metric) ?? shown.find(hasEstimate) ?? shown[0]

  return (
    <>
      <ComparisonHead
        comparison={compared.comparison}
        control={compared.control}
        isRollout={isOfRollout(compared)}
      />
      <WaitingNotice compared={compared} />
      {(shown.length > 0 || wanted !== undefined) && (
        <EffectPanel compared={compared} all={all} shown={shown} chosen={chosen?.metric} />
      )}
      {chosen && <HistoryPanel compared={compared} metric={chosen} />}
      {chosen && hasGap(chosen, compared) && <EvidencePanel compared={compared} metric={chosen} />}
      {chosen && <SlicesPanel compared={compared} metric={chosen} />}
      {shown.length > 0 && (
        <QualityPanel
          quality={compared.comparison.quality}
          metrics={shown}
          treatment={compared.comparison.treatment}
          control={compared.control}
        />
      )}
    </>
  )
}

function NothingToCompare({ impact }: { impact: Impact }) {
  const { project, environment } = useScope()
  const flag = useFlag()
  const summary = summaryIn(flag, environment.key)
  const served = (summary?.serves ?? []).filter(({ weight }) => weight > 0)
  const only = summary?.rules === 0 && served.length === 1 ? served[0]?.variation : undefined
  const isOver = impact.splits.length > 0

  return (
    <Panel>
      <Empty
        title={isOver ? 'One variation only' : 'Nothing to compare yet'}
        action={
          <Link
            to="/p/$project/flags/$flag/targeting"
            params={{ project, flag: flag.key }}
            search={{ env: environment.key }}
            className={buttonClass()}
          >
            Set up a split in Targeting
          </Link>
        }
      >
        <p>Variations are compared when a percentage split assigns them at random.</p>
        {only !== undefined && (
          <p className="pt-8">
            In {environment.name} everyone gets <code>{only}</code> now.
          </p>
        )}
      </Empty>
    </Panel>
  )
}

type EvidencePanelProps = { compared: Compared; metric: ImpactMetric }

/** Contributors to a metric that got worse, or may have. */
function EvidencePanel({ compared, metric }: EvidencePanelProps) {
  const { environment } = useScope()
  const { key } = useFlag()
  const { comparison, control } = compared
  const evidence = useQuery(impactEvidenceQuery(useConfigRef(), compared.choiceOf(metric.metric)))
  const place = { env: environment.key, flag: key, control, treatment: comparison.treatment }

  return (
    <Panel title={`Explanation of ${metric.name}`} note={evidenceNote} flush>
      <Async of={evidence} loading={<Skeleton rows={3} label="Looking for contributors" />}>
        {(found) => <EvidenceList evidence={found} place={place} />}
      </Async>
    </Panel>
  )
}

/** A healthy metric needs no explanation. */
function hasGap(metric: ImpactMetric, { comparison }: Compared): boolean {
  return ['fluttering', 'lifted'].includes(stateOf(metric, comparison))
}
