import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'

/**
 * This many rows are rendered at once: the browser's text search finds all of them, and column widths fit their
 * content.
 */
export const drawnWhole = 50

const overscan = 8
/** The assumed height of a row until it is rendered: exact in tables, an estimate for cards. */
const heights = { tall: 48, flat: 36, card: 132 }
const asCards = matchMedia('(width < 720px)')

interface VirtualRowsOptions {
  count: number
  /** Stays rendered at any scroll position: the row with the focus. */
  kept: number
  tall: boolean
  body: RefObject<HTMLElement | null>
}

interface DrawnRow {
  readonly index: number
  /** The height of the omitted rows between this row and the previous rendered one. */
  readonly before: number
}

interface VirtualRows {
  readonly drawn: readonly DrawnRow[]
  /** The height of the omitted rows at the end. */
  readonly after: number
  readonly measure: ((row: HTMLElement | null) => void) | undefined
}

/** The rendered rows: visible ones and a few around them in long lists; all of them in print. */
export function useVirtualRows({ count, kept, tall, body }: VirtualRowsOptions): VirtualRows {
  const isPrinting = usePrinting()
  const isVirtual = count > drawnWhole && !isPrinting
  const offset = useOffset(body)
  const rangeExtractor = useCallback((range: Range) => withKept(defaultRangeExtractor(range), kept), [kept])
  const virtualizer = useWindowVirtualizer({
    count: isVirtual ? count : 0,
    estimateSize: () => (asCards.matches ? heights.card : tall ? heights.tall : heights.flat),
    overscan,
    scrollMargin: offset,
    rangeExtractor: kept < count ? rangeExtractor : defaultRangeExtractor,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
  })
  useEffect(() => {
    // A card's height differs from a row's.
    const forget = () => virtualizer.measure()
    asCards.addEventListener('change', forget)
    return () => asCards.removeEventListener('change', forget)
  }, [virtualizer])
  const every = useMemo(
    () => (isVirtual ? [] : Array.from({ length: count }, (_, index) => ({ index, before: 0 }))),
    [isVirtual, count],
  )
  if (!isVirtual) return { drawn: every, after: 0, measure: undefined }

  let end = offset
  const drawn = virtualizer.getVirtualItems().map((item) => {
    const before = item.start - end
    end = item.end
    return { index: item.index, before }
  })
  return { drawn, after: virtualizer.getTotalSize() - (end - offset), measure: virtualizer.measureElement }
}

function withKept(indexes: number[], kept: number): number[] {
  const [first] = indexes
  const last = indexes.at(-1)
  if (kept < 0 || first === undefined || last === undefined) return indexes
  if (kept < first) return [kept, ...indexes]
  return kept > last ? [...indexes, kept] : indexes
}

/** Offset of the rows in the page. */
function useOffset(body: RefObject<HTMLElement | null>): number {
  const [offset, setOffset] = useState(0)
  useLayoutEffect(() => {
    const look = () => {
      if (body.current) setOffset(Math.round(body.current.getBoundingClientRect().top + window.scrollY))
    }
    look()
    window.addEventListener('resize', look)
    return () => window.removeEventListener('resize', look)
  }, [body])
  return offset
}

/** Whether the page is being printed, from before the browser captures it. */
function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false)
  useEffect(() => {
    // The browser captures the page as soon as the listeners return.
    const begin = () => flushSync(() => setPrinting(true))
    const end = () => setPrinting(false)
    window.addEventListener('beforeprint', begin)
    window.addEventListener('afterprint', end)
    return () => {
      window.removeEventListener('beforeprint', begin)
      window.removeEventListener('afterprint', end)
    }
  }, [])
  return isPrinting
}
