import { type ReactNode, useEffect, useRef } from 'react'
import {
  type DrawnBox,
  type FlameLook,
  flameBoxHeight,
  flameLooks,
  flameRow,
  narrowestText,
  textsOf,
} from './flame-box.ts'

type FlameCanvasProps = {
  boxes: readonly DrawnBox[]
  rows: number
  current: number | undefined
  /** Text alternative for screen readers. */
  children: ReactNode
}

const looks = Object.keys(flameLooks) as FlameLook[]

/** The same boxes on a canvas, in the colours of the theme; repainted when it changes. */
export function FlameCanvas({ boxes, rows, current, children }: FlameCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const palette = useRef<HTMLSpanElement>(null)

  useEffect(() => {
    const draw = () => {
      if (canvas.current && palette.current)
        paint(canvas.current, { boxes, rows, current, palette: palette.current })
    }
    draw()
    const theme = new MutationObserver(draw)
    theme.observe(document.documentElement, { attributes: true })
    const dark = matchMedia('(prefers-color-scheme: dark)')
    dark.addEventListener('change', draw)
    const size = new ResizeObserver(draw)
    if (canvas.current) size.observe(canvas.current)
    return () => {
      theme.disconnect()
      size.disconnect()
      dark.removeEventListener('change', draw)
    }
  }, [boxes, rows, current])

  return (
    <>
      {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: without tabIndex it takes no focus. */}
      <canvas ref={canvas} aria-hidden="true" className="absolute inset-0 size-full" />
      <span ref={palette} hidden className="bg-sunken text-text">
        {looks.map((look) => (
          <i key={look} className={flameLooks[look]} />
        ))}
      </span>
      <span className="sr-only" role="none">
        {children}
      </span>
    </>
  )
}

type Painted = Omit<FlameCanvasProps, 'children'> & { palette: HTMLElement }

function paint(canvas: HTMLCanvasElement, { boxes, rows, current, palette }: Painted): void {
  const context = canvas.getContext('2d')
  if (context === null) return
  const scale = window.devicePixelRatio
  canvas.width = Math.round(canvas.clientWidth * scale)
  canvas.height = Math.round(rows * flameRow * scale)
  context.scale(scale, scale)
  const colors = new Map(
    looks.map((look, index) => {
      const probe = palette.children[index]
      return [look, probe ? getComputedStyle(probe).backgroundColor : ''] as const
    }),
  )
  const { color, fontFamily, backgroundColor: faint } = getComputedStyle(palette)
  context.font = `500 12px ${fontFamily}`
  context.textBaseline = 'middle'
  for (const box of boxes) {
    const { id, depth, x, width, look, isFaint, isMarked } = box
    const top = depth * flameRow
    context.fillStyle = (isFaint ? faint : colors.get(look)) ?? ''
    context.fillRect(x, top, Math.max(1, width - 1), flameBoxHeight)
    if (isMarked || id === current) {
      context.strokeStyle = color
      context.lineWidth = 2
      context.strokeRect(x + 1, top + 1, Math.max(1, width - 3), flameBoxHeight - 2)
    }
    if (width < narrowestText) continue
    context.fillStyle = color
    const { note } = textsOf(box)
    context.fillText(
      fit(context, note ? `${box.name}  ${note}` : box.name, width - 10),
      x + 6,
      top + flameBoxHeight / 2,
    )
  }
}

const dots = '…'

/** Truncates a text to the available width. */
function fit(context: CanvasRenderingContext2D, text: string, room: number): string {
  if (context.measureText(text).width <= room) return text
  let [from, to] = [0, text.length]
  while (from < to) {
    const middle = Math.ceil((from + to) / 2)
    if (context.measureText(text.slice(0, middle) + dots).width <= room) from = middle
    else to = middle - 1
  }
  return from === 0 ? '' : text.slice(0, from) + dots
}
