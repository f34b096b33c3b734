// The user's pointer above the recorded page, in the page's coordinates: a trail of its path, and a ring for
// each press.

import type { Place } from './read-segment.ts'

export interface Pointer {
  readonly element: Element
  move(place: Point, at: number): void
  press(place: Point): void
  /** The trail up to this moment. */
  draw(at: number): void
  clear(): void
}

export type Point = Pick<Place, 'x' | 'y'>

const trailLength = 900
const ringTime = 700
const svg = 'http://www.w3.org/2000/svg'

export function createPointer(): Pointer {
  const element = document.createElementNS(svg, 'svg')
  element.setAttribute('class', 'pointer')
  const trail = element.appendChild(document.createElementNS(svg, 'polyline'))
  const arrow = element.appendChild(document.createElementNS(svg, 'path'))
  arrow.setAttribute('d', 'M0 0 L0 17 L4.5 13 L7.5 20 L10.5 18.7 L7.6 12 L13.5 12 Z')
  let points: (Point & { at: number })[] = []
  const hide = () => arrow.setAttribute('visibility', 'hidden')
  hide()
  return {
    element,
    move({ x, y }, at) {
      points.push({ x, y, at })
      arrow.setAttribute('visibility', 'visible')
      arrow.setAttribute('transform', `translate(${x} ${y})`)
    },
    press({ x, y }) {
      const ring = document.createElementNS(svg, 'circle')
      ring.setAttribute('cx', `${x}`)
      ring.setAttribute('cy', `${y}`)
      ring.setAttribute('r', '14')
      element.insertBefore(ring, arrow)
      setTimeout(() => ring.remove(), ringTime)
    },
    draw(at) {
      points = points.filter((point) => at - point.at <= trailLength)
      trail.setAttribute('points', points.map(({ x, y }) => `${x},${y}`).join(' '))
    },
    clear() {
      points = []
      trail.setAttribute('points', '')
      hide()
    },
  }
}
