interface PlacedMarker {
  readonly x: number
  readonly number: number
  readonly isRollback?: boolean
}

export interface MarkerGroup<Marker = PlacedMarker> {
  readonly x: number
  /** The number of the change, or how many changes the group has. */
  readonly text: string
  readonly isRollback: boolean
  readonly members: readonly Marker[]
}

const separateAtMost = 12

/** With more than twelve changes, overlapping ones are grouped: `3 changes`. Rollbacks stay visible. */
export function groupMarkers<Marker extends PlacedMarker>(
  markers: readonly Marker[],
  width: number,
): MarkerGroup<Marker>[] {
  const groups: Marker[][] = []
  for (const marker of markers.toSorted((a, b) => a.x - b.x)) {
    const group = groups.at(-1)
    const first = group?.[0]
    if (markers.length > separateAtMost && group && first && marker.x - first.x < width) group.push(marker)
    else groups.push([marker])
  }
  return groups.map((members) => ({
    x: members[0]?.x ?? 0,
    text: members.length === 1 ? String(members[0]?.number) : `${members.length} changes`,
    isRollback: members.some(({ isRollback }) => isRollback === true),
    members,
  }))
}
