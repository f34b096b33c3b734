// Flags in React: components rerender when their flags change. On the server, and until hydration, the values are those
// embedded in the page, so both render the same. Also reports errors of components, which React and its frameworks do
// not pass to the window.

import {
  Component,
  createContext,
  createElement,
  type ErrorInfo,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useSyncExternalStore,
} from 'react'
import { readBootstrap } from './flags/answer.ts'
import type { IfDeclared, Read, Widened } from './flags/typed-reads.ts'
import { createValues, type FlagDetails, type FlagStatus } from './flags/values.ts'
import type { Flags } from './flags.ts'
import type { Monitoring } from './monitoring.ts'

interface Supply {
  flags: Flags
  /** As the server rendered. */
  first<Value>(key: string, fallback: Value): FlagDetails<Value>
}

const FlagsContext = createContext<Supply | undefined>(undefined)

export interface FlagsProviderProps {
  flags: Flags
  /**
   * The values embedded in the page. With server rendering, pass the same values on the server and in the browser.
   * Default: `window.__telltale_flags`, which does not exist on a server.
   */
  bootstrap?: object | undefined
  children?: ReactNode
}

export function FlagsProvider({ flags, bootstrap, children }: FlagsProviderProps): ReactNode {
  const value = useMemo(() => {
    const brought = bootstrap ?? globalThis.__telltale_flags
    const values = createValues(() => undefined)
    if (brought) values.take(readBootstrap(brought), 'starting')
    return { flags, first: values.details }
  }, [flags, bootstrap])
  return createElement(FlagsContext.Provider, { value }, children)
}

export function useFlags(): Flags {
  return useSupply().flags
}

interface AnyHook {
  (key: string, fallback: boolean): boolean
  <Value extends string>(key: string, fallback: Value): Widened<Value, string>
  <Value extends number>(key: string, fallback: Value): Widened<Value, number>
  <Value>(key: string, fallback: Value): Value
}

export const useFlag: IfDeclared<Read<unknown>, AnyHook> = <Value>(key: string, fallback: Value) =>
  useDetails(key, fallback).value

/** The same object as long as its content is unchanged. */
export const useFlagDetails: Flags['getDetails'] = useDetails

function useDetails<Value>(key: string, fallback: Value): FlagDetails<Value> {
  const { flags, first } = useSupply()
  const text = useSyncExternalStore(
    flags.onChange,
    () => JSON.stringify(flags.getDetails(key, fallback)),
    () => JSON.stringify(first(key, fallback)),
  )
  return useMemo(() => JSON.parse(text), [text])
}

export function useFlagStatus(): FlagStatus {
  const { flags } = useSupply()
  return useSyncExternalStore(flags.onChange, flags.status, () => 'starting')
}

function useSupply(): Supply {
  const supply = useContext(FlagsContext)
  if (!supply) throw new Error('There is no <FlagsProvider> above this component.')
  return supply
}

export interface ErrorBoundaryProps {
  telltale: Pick<Monitoring, 'reportError'>
  /** Rendered instead of the children after one of them threw; `retry` renders them again. */
  fallback?: ((error: unknown, retry: () => void) => ReactNode) | undefined
  children?: ReactNode
}

/** A class, because error boundaries require one. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { thrown?: [error: unknown] | undefined }> {
  override state: { thrown?: [error: unknown] | undefined } = {}

  static getDerivedStateFromError(error: unknown): { thrown: [error: unknown] } {
    return { thrown: [error] }
  }

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo): void {
    const { telltale, fallback } = this.props
    // With something else in its place, the person can go on.
    telltale.reportError(error, { componentStack: componentStack ?? '', handled: fallback !== undefined })
  }

  override render(): ReactNode {
    const { thrown } = this.state
    if (!thrown) return this.props.children
    return this.props.fallback?.(thrown[0], () => this.setState({ thrown: undefined }))
  }
}

interface RootErrorInfo {
  componentStack?: string | undefined
  /** React 19: the boundary that caught it. */
  errorBoundary?: unknown
}

export interface RootErrorHandlers {
  onCaughtError(error: unknown, info: RootErrorInfo): void
  onUncaughtError(error: unknown, info: RootErrorInfo): void
}

/**
 * Options for `createRoot` and `hydrateRoot` of React 19, which report errors of components, whichever boundary catches
 * them: `createRoot(element, rootErrorHandlers(telltale))`. They log the error, as React does by default.
 */
export function rootErrorHandlers(telltale: Pick<Monitoring, 'reportError'>): RootErrorHandlers {
  const report = (
    error: unknown,
    { componentStack = '', errorBoundary }: RootErrorInfo,
    handled: boolean,
  ) => {
    // biome-ignore lint/suspicious/noConsole: React prints it where there is no handler
    console.error(error)
    // Telltale's boundary knows whether a fallback is shown.
    if (!(errorBoundary instanceof ErrorBoundary)) telltale.reportError(error, { componentStack, handled })
  }
  return {
    onCaughtError: (error, info) => report(error, info, true),
    onUncaughtError: (error, info) => report(error, info, false),
  }
}

/**
 * Reports an error that a framework passes to a component, once: from `useRouteError`, or the `error` of Next's
 * `error.tsx`. Ignores `undefined`.
 */
export function useReportError(telltale: Pick<Monitoring, 'reportError'> | undefined, error: unknown): void {
  useEffect(() => {
    if (error === undefined || error === null) return
    // For a server error, Next gives the page only this digest, to find the error in the server's logs.
    const { digest } = Object(error)
    telltale?.reportError(error, { attributes: digest && { digest: `${digest}` } })
  }, [telltale, error])
}
