import { useMemo } from 'react'
import type { ComparedFrame, FlameGraph, ProfileDifference } from '../../api/profiles.ts'
import type { Question } from '../../api/question.ts'
import { Panel } from '../../ui/panel.tsx'
import { keyOf } from '../../ui/text/function-key.ts'
import { countOf, countText } from '../../ui/text/measure-text.ts'
import { Variation } from '../../ui/variation.tsx'
import { type CallNode, callTree, functionTimes } from './call-tree.ts'
import { type Change, changeSentence, changeText, intervalText, lookOfChange } from './change-words.ts'
import { ChangedFunctions } from './changed-functions.tsx'
import type { Drawing } from './flame-boxes.ts'
import { FlamePanel } from './flame-panel.tsx'
import { originsOf } from './flame-view.tsx'
import { FrameDetail } from './frame-detail.tsx'
import { FunctionPanel } from './function-panel.tsx'
import { MissingMapsHint } from './missing-maps-hint.tsx'
import { OriginBars, originTimes } from './origin-bars.tsx'
import { WhoPanel } from './who-panel.tsx'

type ComparedFlamesProps = {
  question: Question
  page: string
  difference: ProfileDifference
  control: FlameGraph
  treatment: FlameGraph
  /** Its index among the variations of the flag. */
  orderOf: (variation: string) => number
}

/** Both variations: the graph of the treatment coloured by change, and the changed functions. */
export function ComparedFlames(props: ComparedFlamesProps) {
  const { question, page, difference, control, treatment, orderOf } = props
  const nodes = useMemo(() => callTree(treatment), [treatment])
  const before = useMemo(() => callTree(control), [control])
  const functions = useMemo(() => functionTimes(nodes), [nodes])
  const changes = useMemo(() => changesOf(difference), [difference])
  const origin = useMemo(() => originsOf(treatment), [treatment])
  const [first, second] = [difference.control, difference.treatment]
  const whole = `All of ${page}`
  const drawing = useMemo(() => drawingOf({ whole, changes, difference }), [whole, changes, difference])

  return (
    <>
      {!treatment.mapped && <MissingMapsHint />}
      <Panel
        title="Script time"
        note={`mean of ${countText(control.profiles)} and ${countOf(treatment.profiles, 'profile')}, sampled every 10 ms, so ±5 ms on one profile`}
      >
        <OriginBars
          bars={[
            { side: first, of: before },
            { side: second, of: nodes },
          ].map(({ side, of }) => ({
            name: <Variation order={orderOf(side.variation)} label={side.variation} isKey />,
            label: side.variation,
            total: of[0]?.value ?? 0,
            times: originTimes(of, origin),
          }))}
        />
      </Panel>
      <FlamePanel
        title="Difference"
        note={`width: time in ${second.variation}, colour: change vs ${first.variation}`}
        actions={<Ramp />}
        nodes={nodes}
        drawing={drawing}
        label={`Differential flame graph of ${page}, ${second.variation} vs ${first.variation}`}
        detailOf={(node) => {
          const change = changes(node)
          return (
            <FrameDetail node={node} whole={whole} all={nodes[0]?.value ?? 0}>
              <span>{change ? detailText(change, first.variation) : 'too little time to compare'}</span>
            </FrameDetail>
          )
        }}
      />
      <FunctionPanel nodes={nodes} functions={functions} whole={whole} />
      <div className="grid min-w-0 items-start gap-16 full:grid-cols-[minmax(0,1fr)_316px]">
        <ChangedFunctions difference={difference} />
        <WhoPanel question={question} page={page} graphs={[control, treatment]} />
      </div>
    </>
  )
}

type Changes = (node: CallNode) => Change | undefined

/** Total times by function; for the root, everything. For variations assigned by rule, nothing is significant. */
function changesOf({ all, frames, comparable }: ProfileDifference): Changes {
  const byKey = new Map(frames.map((one: ComparedFrame) => [keyOf(one.frame), one.total]))
  const judged = (change: Change | undefined) =>
    change && { ...change, certain: change.certain && comparable }
  return ({ frame }) => judged(frame ? byKey.get(keyOf(frame)) : all)
}

type ComparisonText = { whole: string; changes: Changes; difference: ProfileDifference }

function drawingOf({ whole, changes, difference }: ComparisonText): Drawing {
  const against = difference.control.variation
  return {
    whole,
    lookOf: (node) => lookOfChange(changes(node)),
    endOf: (node) => {
      const change = changes(node)
      return change?.certain ? changeText(change) : undefined
    },
    noteOf: (node) => {
      const change = changes(node)
      return change ? changeSentence(change, against) : 'not compared'
    },
  }
}

function detailText(change: Change, against: string): string {
  const words = `${changeText(change)} against ${against} (${intervalText(change)})`
  return change.certain ? words : `no significant change: ${words}`
}

function Ramp() {
  const looks = ['bg-diff-less-2', 'bg-diff-less-1', 'bg-diff-0', 'bg-diff-more-1', 'bg-diff-more-2']
  return (
    <span
      role="img"
      aria-label="Blue: less (3 ms, 15 ms or more). Grey: no significant change. Orange: more (3 ms, 15 ms or more)."
      className="inline-flex items-center gap-6 text-12 text-text-2"
    >
      less
      <span className="flex gap-1">
        {looks.map((look) => (
          <span key={look} className={`h-10 w-18 ${look}`} />
        ))}
      </span>
      more
    </span>
  )
}
