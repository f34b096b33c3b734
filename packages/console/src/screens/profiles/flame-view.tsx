import { useMemo } from 'react'
import type { FlameGraph, ProfiledFrame } from '../../api/profiles.ts'
import type { Question } from '../../api/question.ts'
import { Segmented } from '../../ui/form/choice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { countOf, shareText } from '../../ui/text/measure-text.ts'
import { callTree, functionTimes, invertTree } from './call-tree.ts'
import { FindField } from './find-field.tsx'
import { findFunctions } from './find-functions.ts'
import type { Drawing } from './flame-boxes.ts'
import { FlamePanel } from './flame-panel.tsx'
import { FrameDetail } from './frame-detail.tsx'
import { hostOfApp, type Origin, originOf } from './frame-origin.ts'
import { FunctionPanel } from './function-panel.tsx'
import { FunctionsTable } from './functions-table.tsx'
import { MissingMapsHint } from './missing-maps-hint.tsx'
import { NewestProfiles } from './newest-profiles.tsx'
import { OriginBars, originTimes } from './origin-bars.tsx'
import { useProfilesSearch } from './use-profiles-search.ts'
import { WhoPanel } from './who-panel.tsx'

type FlameViewProps = {
  question: Question
  page: string
  graph: FlameGraph
  /** Without the graph: only the table. */
  isTable: boolean
}

/** Script time of a page, summed over its profiles. */
export function FlameView({ question, page, graph, isTable }: FlameViewProps) {
  const { search, set } = useProfilesSearch()
  const { find = '', inverted = false } = search
  const nodes = useMemo(() => callTree(graph), [graph])
  const drawn = useMemo(() => (inverted ? invertTree(nodes) : nodes), [nodes, inverted])
  const functions = useMemo(() => functionTimes(nodes), [nodes])
  const originOfFrame = useMemo(() => originsOf(graph), [graph])
  const whole = `All of ${page}`
  const all = nodes[0]?.value ?? 0
  const drawing: Drawing = useMemo(
    () => ({ whole, lookOf: ({ frame }) => (frame ? originOfFrame(frame) : 'native') }),
    [whole, originOfFrame],
  )
  const found = useMemo(() => (find === '' ? undefined : findFunctions(nodes, find)), [nodes, find])
  const rest = graph.totalMs > 0 ? graph.restMs / graph.totalMs : 0

  return (
    <>
      {!graph.mapped && <MissingMapsHint />}
      <Panel
        title="Script time"
        note={`mean of ${countOf(graph.profiles, 'profile')}, sampled every 10 ms, so ±5 ms on one profile`}
      >
        <OriginBars
          bars={[{ name: 'All', label: 'All', total: all, times: originTimes(nodes, originOfFrame) }]}
        />
      </Panel>
      {!isTable && (
        <FlamePanel
          title="Flame graph"
          note={`width: time${rest > 0.005 ? `; ${shareText(rest)} in parts too small to show` : ''}`}
          actions={
            <Segmented
              label="Direction"
              choices={[
                { value: 'down', label: 'Top-down' },
                { value: 'up', label: 'Bottom-up' },
              ]}
              value={inverted ? 'up' : 'down'}
              onValue={(next) => set({ inverted: next === 'up' ? true : undefined, zoom: undefined })}
            />
          }
          nodes={drawn}
          drawing={drawing}
          label={`Flame graph of ${page}, ${inverted ? 'callees to callers' : 'callers above callees'}`}
          detailOf={(node) => <FrameDetail node={node} whole={whole} all={all} />}
        />
      )}
      <FunctionPanel nodes={nodes} functions={functions} whole={whole} />
      <div className="grid min-w-0 items-start gap-16 full:grid-cols-[minmax(0,1fr)_316px]">
        <div className="grid min-w-0 gap-8">
          <div className="flex flex-wrap items-center justify-between gap-8">
            <h2 className="font-strong text-14">{countOf(functions.length, 'function')}</h2>
            {isTable && (
              <FindField
                text={find}
                onText={(next) => set({ find: next || undefined }, true)}
                found={found}
              />
            )}
          </div>
          <FunctionsTable functions={functions} all={all} originOf={originOfFrame} found={found} />
        </div>
        <div className="grid min-w-0 gap-16">
          <WhoPanel question={question} page={page} graphs={[graph]} />
          <NewestProfiles question={question} page={page} />
        </div>
      </div>
    </>
  )
}

/** By the host of most functions. */
export function originsOf({ frames }: Pick<FlameGraph, 'frames'>): (frame: ProfiledFrame) => Origin {
  const host = hostOfApp(frames)
  const known = new Map<ProfiledFrame, Origin>()
  return (frame) => {
    const origin = known.get(frame) ?? originOf(frame, host)
    known.set(frame, origin)
    return origin
  }
}
