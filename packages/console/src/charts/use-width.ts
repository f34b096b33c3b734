import { type RefObject, useLayoutEffect, useState } from 'react'

/** How wide an element is, in whole pixels; 0 before it was measured. */
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
