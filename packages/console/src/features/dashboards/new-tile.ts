import type { Tile } from '../../api/dashboards.ts'

type Placement = Pick<Tile, 'width' | 'height'>

/** A UUID. `crypto.randomUUID` is missing on plain HTTP, which is how a new installation starts. */
export function newTileId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = [...bytes].map((byte, index) => {
    // Version 4 and its variant.
    const kept = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte
    return kept.toString(16).padStart(2, '0')
  })
  const part = (from: number, to: number) => hex.slice(from, to).join('')
  return [part(0, 4), part(4, 6), part(6, 8), part(8, 10), part(10, 16)].join('-')
}

const usual: Record<Tile['kind'], Placement> = {
  explore: { width: 6, height: 'medium' },
  vitals: { width: 12, height: 'small' },
  funnel: { width: 6, height: 'medium' },
  impact: { width: 6, height: 'medium' },
  rollout: { width: 4, height: 'medium' },
  alert: { width: 3, height: 'small' },
  text: { width: 4, height: 'small' },
}

/** Where a new tile of this kind goes. */
export function newPlacement(kind: Tile['kind'], chart?: string) {
  const { width, height } = chart === 'number' ? ({ width: 3, height: 'small' } as const) : usual[kind]
  return { id: newTileId(), title: '', width, height }
}
