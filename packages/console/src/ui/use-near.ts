import { type RefObject, useEffect, useRef, useState } from 'react'

const margin = '300px'

/** Whether the element is, or was, in the viewport or close to it. */
export function useNear<Element extends HTMLElement>(): [RefObject<Element | null>, boolean] {
  const element = useRef<Element>(null)
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    if (isNear || element.current === null) return
    const seen = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setNear(true),
      { rootMargin: margin },
    )
    seen.observe(element.current)
    return () => seen.disconnect()
  }, [isNear])
  return [element, isNear]
}
