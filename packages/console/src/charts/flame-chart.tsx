import { type KeyboardEvent, type MouseEvent, memo, useId, useRef } from 'react'
import {
  type DrawnBox,
  type FlameStep,
  flameBoxHeight,
  flameLooks,
  flameRow,
  narrowestText,
  stepFrom,
  textsOf,
} from './flame-box.ts'
import { FlameCanvas } from './flame-canvas.tsx'

type FlameChartProps = {
  /** A sentence. */
  label: string
  boxes: readonly DrawnBox[]
  /** The box with keyboard focus. */
  current: number
  onCurrent: (id: number) => void
  /** `enter`, or a click. */
  onOpen: (id: number) => void
  /** `space`. */
  onChoose: (id: number) => void
  /** `backspace`. */
  onBack: () => void
  /** The box under the pointer. */
  onPoint: (id: number | undefined) => void
}

/** Larger graphs are painted on a canvas: as elements they would make the page slow. */
const drawnAsElements = 2_000

const steps: Partial<Record<string, FlameStep>> = {
  ArrowDown: 'in',
  ArrowUp: 'out',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  Home: 'first',
}

/** A flame graph with arrow-key navigation. Screen readers get a tree, however it is drawn. */
export function FlameChart(props: FlameChartProps) {
  const { label, boxes, current, onCurrent, onOpen, onChoose, onBack, onPoint } = props
  const id = useId()
  const tree = useRef<HTMLDivElement>(null)
  const rows = boxes.reduce((most, { depth }) => Math.max(most, depth + 1), 1)
  const chosen = boxes.find((box) => box.id === current) ?? boxes[0]
  const idOf = (box: number) => `${id}-${box}`

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey || chosen === undefined) return
    const step = steps[event.key]
    if (step !== undefined) {
      const next = stepFrom(boxes, chosen.id, step)
      if (next !== undefined) onCurrent(next)
    } else if (event.key === 'Enter') onOpen(chosen.id)
    else if (event.key === ' ') onChoose(chosen.id)
    else if (event.key === 'Backspace') onBack()
    else return
    event.preventDefault()
  }
  const pointed = (event: MouseEvent): number | undefined => {
    const frame = tree.current?.getBoundingClientRect()
    if (frame === undefined) return undefined
    const [x, depth] = [event.clientX - frame.left, Math.floor((event.clientY - frame.top) / flameRow)]
    return boxes.find((box) => box.depth === depth && x >= box.x && x < box.x + box.width)?.id
  }
  const isPainted = boxes.length > drawnAsElements
  return (
    <div
      ref={tree}
      role="tree"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={chosen && idOf(chosen.id)}
      onKeyDown={onKeyDown}
      onPointerMove={(event) => onPoint(pointed(event))}
      onPointerLeave={() => onPoint(undefined)}
      onClick={(event) => {
        const found = pointed(event)
        if (found === undefined) return
        onCurrent(found)
        onOpen(found)
      }}
      className="relative w-full min-w-0 cursor-pointer outline-offset-4"
      style={{ height: rows * flameRow }}
    >
      {isPainted ? (
        <FlameCanvas boxes={boxes} rows={rows} current={chosen?.id}>
          {around(boxes, chosen).map((box) => (
            <span key={box.id} {...itemOf(box, idOf(box.id), box === chosen)}>
              {box.name}
            </span>
          ))}
        </FlameCanvas>
      ) : (
        boxes.map((box) => <Box key={box.id} box={box} id={idOf(box.id)} isCurrent={box === chosen} />)
      )}
    </div>
  )
}

const itemOf = ({ depth, label }: DrawnBox, id: string, isCurrent: boolean) => ({
  id,
  role: 'treeitem',
  'aria-level': depth + 1,
  'aria-label': label,
  'aria-selected': isCurrent,
})

const neighboursRead = 50

/** Text alternative of a painted tree: the path to the box, its neighbours and its callees. */
function around(boxes: readonly DrawnBox[], chosen: DrawnBox | undefined): DrawnBox[] {
  if (chosen === undefined) return []
  const above: DrawnBox[] = []
  for (let at: DrawnBox | undefined = chosen; at !== undefined; ) {
    const { parent }: DrawnBox = at
    at = boxes.find(({ id }) => id === parent)
    if (at) above.unshift(at)
  }
  const beside = boxes
    .filter((box) => box.parent === chosen.parent && box !== chosen)
    .slice(0, neighboursRead)
  const below = boxes.filter(({ parent }) => parent === chosen.id).slice(0, neighboursRead)
  return [...above, chosen, ...below, ...beside]
}

type BoxProps = { box: DrawnBox; id: string; isCurrent: boolean }

const Box = memo(function Box({ box, id, isCurrent }: BoxProps) {
  const { depth, x, width, name, look, isFaint, isMarked } = box
  const { note, end } = textsOf(box)
  return (
    <div
      {...itemOf(box, id, isCurrent)}
      className={`absolute flex items-center gap-6 overflow-hidden whitespace-nowrap rounded-[2px] text-12 hover:outline-1 hover:outline-text hover:-outline-offset-1 ${isFaint ? 'bg-sunken text-text-2' : `text-text ${flameLooks[look]}`} ${isMarked || isCurrent ? 'outline-2 outline-text -outline-offset-2!' : ''} forced-colors:border`}
      style={{
        left: x,
        top: depth * flameRow,
        height: flameBoxHeight,
        width: Math.max(1, width - 1),
      }}
    >
      {width >= narrowestText && (
        <>
          <span className="min-w-0 truncate pl-6 font-medium">{name}</span>
          {note && ' '}
          {note && <span className="shrink-0 font-regular">{note}</span>}
          {end && ' '}
          {end && <span className="ml-auto shrink-0 pr-6 font-medium">{end}</span>}
        </>
      )}
    </div>
  )
})
