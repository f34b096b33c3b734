import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { PaletteEntry } from './entry.ts'

/**
 * Where screens register their actions. Items of the whole project that require a request (flags, segments) are
 * sources: see `sources.tsx`.
 */
const offered = new Map<symbol, readonly PaletteEntry[]>()
const listeners = new Set<() => void>()
let all: readonly PaletteEntry[] = []

/** Registers entries while the component is mounted. The list may be a new array on every render. */
export function usePaletteEntries(entries: readonly PaletteEntry[]): void {
  const latest = useRef(entries)
  latest.current = entries
  const signature = entries.map(({ id, label }) => `${id} ${label}`).join('\n')

  // biome-ignore lint/correctness/useExhaustiveDependencies: the signature represents the entries.
  useEffect(() => {
    const owner = Symbol()
    offered.set(
      owner,
      latest.current.map((entry) => ({
        ...entry,
        run: () => latest.current.find(({ id }) => id === entry.id)?.run(),
      })),
    )
    announce()
    return () => {
      offered.delete(owner)
      announce()
    }
  }, [signature])
}

export function useOfferedEntries(): readonly PaletteEntry[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => all,
  )
}

function announce(): void {
  all = [...offered.values()].flat()
  for (const listener of listeners) listener()
}

const recentKey = 'telltale.recent'
const recentAtMost = 8

export function readRecent(): string[] {
  return (localStorage.getItem(recentKey) ?? '').split('\n').filter(Boolean)
}

export function noteRecent(id: string): void {
  const next = [id, ...readRecent().filter((one) => one !== id)].slice(0, recentAtMost)
  localStorage.setItem(recentKey, next.join('\n'))
}
