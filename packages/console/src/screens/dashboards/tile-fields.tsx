import { useQuery } from '@tanstack/react-query'
import { isKey } from '@telltale/core/keys'
import { limits } from '@telltale/core/limits'
import { emptyFilter, type Filter, parseFilter, printFilter } from '@telltale/core/query/filter'
import { useState } from 'react'
import { alertsQuery } from '../../api/alerts.ts'
import type { Tile, TileOf } from '../../api/dashboards.ts'
import { metricsQuery } from '../../api/metrics.ts'
import type { Question } from '../../api/question.ts'
import { FlagField } from '../../features/dashboards/flag-field.tsx'
import { chartNames, measuredOf, searchOfTile } from '../../features/dashboards/tile-words.ts'
import { stepsOf } from '../../features/explore/behaviour-search.ts'
import type { ExploreSearch } from '../../features/explore/explore-search.ts'
import { Sentence } from '../../features/explore/sentence.tsx'
import { useFilterValues } from '../../shell/use-question.ts'
import { TelemetryFilter } from '../../ui/filter/telemetry-filter.tsx'
import { Segmented } from '../../ui/form/choice.tsx'
import { TextArea } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { FunnelFields } from './funnel-fields.tsx'

type FieldsProps<Of extends Tile> = {
  tile: Of
  onTile: (tile: Tile) => void
  question: Question
  fault: string | undefined
}

/** Why the tile cannot be shown yet. */
export function faultOfTile(tile: Tile): string | undefined {
  if (tile.kind === 'explore' && tile.measure === 'share' && tile.part === undefined)
    return 'Fill in the condition of the share.'
  if (tile.kind === 'funnel' && stepsOf(tile.steps).length < 2) return 'Choose at least two steps.'
  if ((tile.kind === 'impact' || tile.kind === 'rollout') && !isKey(tile.flag)) return 'Choose a flag.'
  if (tile.kind === 'alert' && tile.alert === '') return 'Choose an alert.'
  return tile.kind === 'text' && tile.text.trim() === '' ? 'Write a text.' : undefined
}

export function TileFields(props: FieldsProps<Tile>) {
  const { tile, ...rest } = props
  switch (tile.kind) {
    case 'explore':
      return <ExploreFields {...rest} tile={tile} />
    case 'vitals':
      return <VitalsFields {...rest} tile={tile} />
    case 'funnel':
      return <FunnelFields {...rest} tile={tile} />
    case 'impact':
      return <ImpactFields {...rest} tile={tile} />
    case 'rollout':
      return (
        <FlagField
          project={props.question.project}
          value={tile.flag}
          onValue={(flag) => props.onTile({ ...tile, flag: flag.trim() })}
          fault={props.fault}
        />
      )
    case 'alert':
      return <AlertFields {...rest} tile={tile} />
    case 'text':
      return (
        <TextArea
          label="Text"
          hint="Markdown: headings, lists, tables, links, code."
          value={tile.text}
          onChange={({ currentTarget }) => props.onTile({ ...tile, text: currentTarget.value })}
          maxLength={limits.dashboardTextLength}
          fault={props.fault}
          rows={8}
        />
      )
  }
}

const charts = (['line', 'bar', 'table', 'number'] as const).map((value) => ({
  value,
  label: chartNames[value],
}))

function ExploreFields({ tile, onTile, question, fault }: FieldsProps<TileOf<'explore'>>) {
  const [search, setSearch] = useState<ExploreSearch>(() => searchOfTile(tile))
  const { id, title, width, height } = tile
  const filter = filterOf(search.q)

  function change(next: ExploreSearch) {
    const all = { ...search, ...next }
    setSearch(all)
    const measured = measuredOf(all, tile.chart)
    const { part: _part, ...without } = tile
    onTile(
      measured === undefined ? { ...without, measure: 'share' } : { ...measured, id, title, width, height },
    )
  }

  return (
    <div className="grid gap-12">
      <Sentence
        search={search}
        onSearch={change}
        question={question}
        filter={filter}
        onFilter={(next) => change({ q: printFilter(next) || undefined })}
        fault={undefined}
        inForm
      />
      <div className="flex flex-wrap items-center gap-8">
        <span className="text-text-2">as</span>
        <Segmented
          label="Chart"
          choices={charts}
          value={tile.chart}
          onValue={(chart) => onTile({ ...tile, chart })}
        />
        {fault !== undefined && (
          <p role="alert" className="text-12 text-bad">
            {fault}
          </p>
        )}
      </div>
    </div>
  )
}

function VitalsFields({ tile, onTile, question }: FieldsProps<TileOf<'vitals'>>) {
  const loadValues = useFilterValues(question)
  const { filter: _filter, ...without } = tile
  return (
    <TelemetryFilter
      label="Filter of the tile: page:/cart, browser:Safari"
      filter={filterOf(tile.filter)}
      onFilter={(next) => {
        const text = printFilter(next)
        onTile(text === '' ? without : { ...without, filter: text })
      }}
      loadValues={loadValues}
      inForm
    />
  )
}

function filterOf(text: string | undefined): Filter {
  const parsed = parseFilter(text ?? '')
  return parsed.ok ? parsed.result : emptyFilter
}

const everyMetric = 'every'

function ImpactFields({ tile, onTile, question, fault }: FieldsProps<TileOf<'impact'>>) {
  const { project } = question
  const metrics = useQuery(metricsQuery(project))
  const { metric: _metric, ...without } = tile
  return (
    <div className="grid gap-16 wide:grid-cols-2">
      <FlagField
        project={project}
        value={tile.flag}
        onValue={(flag) => onTile({ ...tile, flag: flag.trim() })}
        fault={fault}
      />
      <Select
        label="Metric"
        options={[
          { value: everyMetric, label: 'Every metric' },
          ...(metrics.data ?? []).map(({ key, name }) => ({ value: key, label: name })),
        ]}
        value={tile.metric ?? everyMetric}
        onValue={(metric) => onTile(metric === everyMetric ? without : { ...without, metric })}
      />
    </div>
  )
}

function AlertFields({ tile, onTile, question, fault }: FieldsProps<TileOf<'alert'>>) {
  const { project, env } = question
  const alerts = useQuery(alertsQuery(project, env))
  return (
    <Select
      label="Alert"
      options={[
        { value: '', label: alerts.data?.length === 0 ? 'No alerts in this environment' : 'Choose an alert' },
        ...(alerts.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
      ]}
      value={tile.alert}
      onValue={(alert) => onTile({ ...tile, alert })}
      fault={fault}
    />
  )
}
