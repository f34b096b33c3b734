import { useInfiniteQuery } from '@tanstack/react-query'
import { addParts } from '@telltale/core/changes/blast-radius'
import type { FlagChanges } from '@telltale/core/contract/blast-radius'
import { useEffect } from 'react'
import { type BlastRadiusPart, blastRadiusQuery, type TargetingChange } from '../../api/blast-radius.ts'

/** This many users are enough for a reliable share. */
const partsAtMost = 40

export interface BlastRadius {
  people: number
  /** Estimated number of users. */
  total: number
  /** Null while the telemetry store is unavailable. */
  sessions: number | null
  flags: readonly FlagChanges[]
  moreFlags: number
  /** Sensitive traits that were left out of the evaluation. */
  masked: readonly string[]
  /** All users were counted. */
  isWhole: boolean
}

/** Requests batch by batch until all users are counted, and adds up the results. */
export function useBlastRadius(place: { project: string; env: string }, change: TargetingChange) {
  const parts = useInfiniteQuery(blastRadiusQuery(place, change))
  const { hasNextPage, isFetching, isError, fetchNextPage, data } = parts
  const count = data?.pages.length ?? 0
  const goesOn = hasNextPage && count < partsAtMost

  useEffect(() => {
    if (goesOn && !isFetching && !isError) void fetchNextPage()
  }, [goesOn, isFetching, isError, fetchNextPage])

  return {
    radius: data && sumOf(data.pages),
    isCounting: !isError && (goesOn || isFetching),
    error: parts.error,
    retry: () => void (count > 0 ? fetchNextPage() : parts.refetch()),
  }
}

function sumOf(parts: readonly BlastRadiusPart[]): BlastRadius | undefined {
  const [first, ...others] = parts
  const last = parts.at(-1)
  if (first === undefined || last === undefined) return undefined
  const isWhole = last.next === null
  const people = parts.reduce((sum, part) => sum + part.people, 0)
  return {
    people,
    total: isWhole ? people : Math.max(first.total, people),
    sessions: parts.reduce<number | null>(
      (sum, part) => (sum === null || part.sessions === null ? null : sum + part.sessions),
      0,
    ),
    flags: others.reduce((sum, part) => addParts(sum, part.flags), first.flags),
    moreFlags: first.moreFlags,
    masked: first.masked,
    isWhole,
  }
}
