import { Component, type ReactNode, use, useId } from 'react'
import { HeadingLevel } from './heading-level.ts'
import { refusalOf } from './refusal.ts'
import { ErrorState } from './states.tsx'

type PanelProps = {
  title?: ReactNode
  note?: ReactNode
  actions?: ReactNode
  footer?: ReactNode
  /** Tables and lists extend to the border. */
  flush?: boolean
  children: ReactNode
}

/** A bordered part of a screen. An error inside it does not affect the rest. */
export function Panel({ title, note, actions, footer, flush, children }: PanelProps) {
  const id = useId()
  const level = use(HeadingLevel)
  return (
    <section
      {...(title ? { 'aria-labelledby': id } : {})}
      className="min-w-0 rounded-panel border border-line bg-surface"
    >
      {(title || actions) && (
        <header className="flex min-h-40 flex-wrap items-center gap-x-8 gap-y-6 border-line border-b px-14 py-6">
          <span className="flex min-w-0 grow flex-wrap items-center gap-x-8 gap-y-2">
            <h2 id={id} className="font-strong text-14">
              {title}
            </h2>
            {note && <span className="text-12 text-text-3">{note}</span>}
          </span>
          {actions && <div className="flex flex-wrap items-center gap-8">{actions}</div>}
        </header>
      )}
      <HeadingLevel value={title ? 3 : level}>
        <ErrorBoundary>{flush ? children : <div className="px-14 py-12">{children}</div>}</ErrorBoundary>
      </HeadingLevel>
      {footer && <footer className="border-line border-t px-14 py-8 text-12 text-text-2">{footer}</footer>}
    </section>
  )
}

/** Limits a rendering error to one part of the screen. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    if (this.state.error === undefined) return this.props.children
    return (
      <ErrorState refusal={refusalOf(this.state.error)} onRetry={() => this.setState({ error: undefined })} />
    )
  }
}
