const gap = 4
const margin = 8

/**
 * Shows a popover below its field, or above it where there is more room, until the returned function is called.
 * It is in the top layer, so no dialog or scroll container clips it.
 */
export function keepBelow(popover: HTMLElement, field: HTMLElement): () => void {
  function place() {
    const { left, top, bottom, width } = field.getBoundingClientRect()
    const height = popover.offsetHeight
    const isAbove = bottom + gap + height > window.innerHeight - margin && top - gap - height > margin
    popover.style.left = `${left}px`
    popover.style.width = `${width}px`
    popover.style.top = `${isAbove ? top - gap - height : bottom + gap}px`
  }
  popover.showPopover()
  place()
  const resizes = new ResizeObserver(place)
  resizes.observe(popover)
  window.addEventListener('scroll', place, { capture: true, passive: true })
  window.addEventListener('resize', place)

  return () => {
    resizes.disconnect()
    window.removeEventListener('scroll', place, { capture: true })
    window.removeEventListener('resize', place)
  }
}
