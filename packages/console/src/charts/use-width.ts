import { type RefObject, useLayoutEffect, useState } from 'react'

/** The width of an element in whole pixels; 0 before the first measurement. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  return useSize(element, widthOf)
}

/** The height of an element in whole pixels; 0 before the first measurement. */
export function useHeight(element: RefObject<HTMLElement | null>): number {
  return useSize(element, heightOf)
}

const widthOf = (element: HTMLElement) => Math.floor(element.clientWidth)
const heightOf = (element: HTMLElement) => Math.ceil(element.clientHeight)

function useSize(element: RefObject<HTMLElement | null>, sizeOf: (element: HTMLElement) => number): number {
  const [size, setSize] = useState(0)
  useLayoutEffect(() => {
    const found = element.current
    if (!found) return
    const measure = () => setSize(sizeOf(found))
    measure()
    const sizes = new ResizeObserver(measure)
    sizes.observe(found)
    return () => sizes.disconnect()
  }, [element, sizeOf])
  return size
}
