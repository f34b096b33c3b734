interface PlacedMarker {
  readonly x: number
  readonly number: number
  readonly isRollback?: boolean
}

export interface MarkerGroup {
  readonly x: number
  /** The number of the change, or how many there are in one place. */
  readonly text: string
  readonly isRollback: boolean
}

const separateAtMost = 12

/** Above twelve changes those that would lie over each other become one: `3 changes`. A rollback stays seen. */
export function groupMarkers(markers: readonly PlacedMarker[], width: number): MarkerGroup[] {
  const groups: PlacedMarker[][] = []
  for (const marker of markers.toSorted((a, b) => a.x - b.x)) {
    const group = groups.at(-1)
    const first = group?.[0]
    if (markers.length > separateAtMost && group && first && marker.x - first.x < width) group.push(marker)
    else groups.push([marker])
  }
  return groups.map((group) => ({
    x: group[0]?.x ?? 0,
    text: group.length === 1 ? String(group[0]?.number) : `${group.length} changes`,
    isRollback: group.some(({ isRollback }) => isRollback === true),
  }))
}
