import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'

/** So many rows are drawn at once: the browser finds text in all of them, and their columns fit what is in them. */
export const drawnWhole = 50

const overscan = 8
/** What a row is taken to measure until it is drawn: exact in tables, a guess for cards. */
const heights = { tall: 48, flat: 36, card: 132 }
const asCards = matchMedia('(width < 720px)')

interface Asked {
  count: number
  /** Stays drawn wherever the page is: the row that has the focus. */
  kept: number
  tall: boolean
  body: RefObject<HTMLElement | null>
}

export interface DrawnRow {
  readonly index: number
  /** The height of those left out between this row and the one drawn before it. */
  readonly before: number
}

interface VirtualRows {
  readonly drawn: readonly DrawnRow[]
  /** The height of those left out at the end. */
  readonly after: number
  readonly measure: ((row: HTMLElement | null) => void) | undefined
}

/** Which rows are in the page: those in view and a few around them, in long lists; on paper, all. */
export function useVirtualRows({ count, kept, tall, body }: Asked): VirtualRows {
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
    // A card is not as high as a row.
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

/** Where the rows begin in the page. */
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

/** Whether the page is being put on paper, from before the browser takes its picture. */
function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false)
  useEffect(() => {
    // The picture is taken as soon as the listeners return.
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
