import { type RefObject, useLayoutEffect, useState } from 'react'

/** The width of an element in whole pixels; 0 before the first measurement. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const found = element.current
    if (!found) return
    const measure = () => setWidth(Math.floor(found.clientWidth))
    measure()
    const sizes = new ResizeObserver(measure)
    sizes.observe(found)
    return () => sizes.disconnect()
  }, [element])
  return width
}
