import { useNavigate } from '@tanstack/react-router'
import { createContext, use } from 'react'
import type { Environment } from '../api/environments.ts'
import type { TimeRange } from './time-range.ts'

export interface Scope {
  /** The key of the project in the URL. */
  readonly project: string
  readonly environments: readonly Environment[]
  /** The one in the URL, or the first of the project. */
  readonly environment: Environment
  readonly range: TimeRange
}

export const ScopeContext = createContext<Scope | undefined>(undefined)

/** Project, environment and time range of the screen. Only below `/p/:project`. */
export function useScope(): Scope {
  const scope = use(ScopeContext)
  if (!scope) throw new Error('there is no project in the address of this screen')
  return scope
}

export function useMaybeScope(): Scope | undefined {
  return use(ScopeContext)
}

/** Changes environment or time range, with a history entry. */
export function useSetScope(): (change: { env?: string; t?: TimeRange }) => void {
  const navigate = useNavigate()
  return (change) => void navigate({ to: '.', search: (now) => ({ ...now, ...change }), hash: true })
}
