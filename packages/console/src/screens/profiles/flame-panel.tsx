import { type ReactNode, useMemo, useRef, useState } from 'react'
import { FlameChart } from '../../charts/flame-chart.tsx'
import { growTree, pathTo } from '../../charts/flame-layout.ts'
import { useWidth } from '../../charts/use-width.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Panel } from '../../ui/panel.tsx'
import { keyOf } from '../../ui/text/function-key.ts'
import { type CallNode, findPath, printPath } from './call-tree.ts'
import { FindField } from './find-field.tsx'
import { findFunctions } from './find-functions.ts'
import { type Drawing, flameBoxes } from './flame-boxes.ts'
import { nameOf } from './frame-words.ts'
import { useProfilesSearch } from './use-profiles-search.ts'

type FlamePanelProps = {
  title: string
  note: ReactNode
  /** Beside the search field. */
  actions?: ReactNode
  nodes: readonly CallNode[]
  /** Must be referentially stable. */
  drawing: Drawing
  /** A sentence about the graph. */
  label: string
  /** Details of the box under the pointer or with focus. */
  detailOf: (node: CallNode) => ReactNode
}

/** A flame graph with zoom and search. Both are in the URL. */
export function FlamePanel(props: FlamePanelProps) {
  const { title, note, actions, nodes, drawing, label, detailOf } = props
  const { search, set } = useProfilesSearch()
  const { find = '', fn } = search
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const zoom = useMemo(() => findPath(nodes, search.zoom ?? ''), [nodes, search.zoom])
  const found = useMemo(() => findFunctions(nodes, find), [nodes, find])
  const [current, setCurrent] = useState<number>()
  const [pointed, setPointed] = useState<number>()
  const tree = useMemo(() => growTree(nodes), [nodes])
  const boxes = useMemo(() => {
    const marks = {
      isMarked: ({ frame }: CallNode) =>
        frame !== undefined && (find === '' ? keyOf(frame) === fn : found.keys.has(keyOf(frame))),
      fadesOthers: find !== '',
    }
    return flameBoxes({ tree, nodes, zoom, width }, drawing, marks)
  }, [tree, nodes, zoom, width, drawing, find, fn, found])

  const zoomTo = (place: number) => {
    const node = nodes[place]
    if (node === undefined) return
    setCurrent(place)
    set({ zoom: printPath(nodes, place) || undefined, fn: node.frame ? keyOf(node.frame) : fn })
  }
  const choose = (place: number) => {
    const chosen = nodes[place]?.frame
    if (chosen) set({ fn: keyOf(chosen) }, true)
  }
  const looked = fn === undefined ? -1 : nodes.findIndex(({ frame }) => frame && keyOf(frame) === fn)
  const shown = nodes[pointed ?? current ?? (looked < 0 ? zoom : looked)] ?? nodes[0]
  return (
    <Panel
      title={title}
      note={note}
      flush
      actions={
        <>
          {actions}
          <FindField
            text={find}
            onText={(next) => set({ find: next || undefined }, true)}
            found={find === '' ? undefined : found}
          />
        </>
      }
      footer={
        <div className="flex min-h-18 flex-wrap items-baseline gap-x-10 gap-y-2">
          {shown && detailOf(shown)}
        </div>
      }
    >
      {zoom !== 0 && <ZoomPath nodes={nodes} zoom={zoom} whole={drawing.whole} onZoom={zoomTo} />}
      <div className="max-h-[70vh] overflow-y-auto px-14 py-12">
        <div ref={frame} className="min-w-0">
          {width > 0 && (
            <FlameChart
              label={label}
              boxes={boxes}
              current={current ?? zoom}
              onCurrent={setCurrent}
              onPoint={setPointed}
              onOpen={zoomTo}
              onChoose={choose}
              onBack={() => zoomTo(Math.max(0, nodes[zoom]?.parent ?? 0))}
            />
          )}
        </div>
      </div>
    </Panel>
  )
}

type ZoomPathProps = {
  nodes: readonly CallNode[]
  zoom: number
  whole: string
  onZoom: (place: number) => void
}

const namedAtMost = 4

/** Breadcrumb navigation out of the zoom: the root, and the last few callers. */
function ZoomPath({ nodes, zoom, whole, onZoom }: ZoomPathProps) {
  const path = pathTo(nodes, zoom)
  const [root = 0, ...inner] = path
  const last = inner.slice(-namedAtMost)
  const nameAt = (place: number) => {
    const frame = nodes[place]?.frame
    return frame ? nameOf(frame) : whole
  }
  const step = (place: number) => (
    <Button key={place} look="quiet" size="small" onClick={() => onZoom(place)}>
      <span className="max-w-[24ch] truncate">{nameAt(place)}</span>
    </Button>
  )
  return (
    <nav
      aria-label="Zoomed in"
      className="flex flex-wrap items-center gap-2 border-line border-b px-8 py-4 text-12"
    >
      {step(root)}
      {inner.length > last.length && <span className="text-text-3">…</span>}
      {last.map((place) => (
        <span key={place} className="flex min-w-0 items-center gap-2">
          <Icon name="right" className="size-12 text-text-3" />
          {place === zoom ? (
            <code
              aria-current="location"
              className="max-w-[32ch] truncate px-6 font-medium"
              title={nameAt(place)}
            >
              {nameAt(place)}
            </code>
          ) : (
            step(place)
          )}
        </span>
      ))}
    </nav>
  )
}
