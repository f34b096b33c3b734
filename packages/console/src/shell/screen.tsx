import { type ReactNode, useEffect, useRef } from 'react'
import { Icon } from '../ui/icon.tsx'
import { ErrorBoundary } from '../ui/panel.tsx'
import { useDocumentTitle } from '../ui/text/document-title.ts'
import { ConnectionState } from './connection-state.tsx'
import { EnvironmentMenu } from './environment-menu.tsx'
import { SavedViewsMenu } from './saved-views/saved-views-menu.tsx'
import { useMaybeScope } from './scope-context.ts'
import { TimeRangeMenu } from './time-range-menu.tsx'

type ScreenProps = {
  /** The `h1` and the title of the document. */
  title: string
  /** How the title is rendered, if not as plain text: a key in monospace. */
  heading?: ReactNode
  /** Links to the parent screens, outermost first. */
  crumbs?: ReactNode
  /** Buttons; at most one of them primary. */
  actions?: ReactNode
  /** A row below the top bar: links that are tabs. */
  tabs?: ReactNode
  /** The parts of the scope that apply here. Default: the environment. */
  scope?: 'environment' | 'environment-and-time' | 'none'
  children: ReactNode
}

/** Top bar and content of a screen. Moves the focus to the heading after navigation from another screen. */
export function Screen(props: ScreenProps) {
  const { title, heading, crumbs, actions, tabs, scope = 'environment', children } = props
  const found = useMaybeScope()
  useDocumentTitle(title, found?.project)

  return (
    <>
      <header className="sticky top-0 z-20 flex h-bar items-center gap-8 border-line border-b bg-canvas px-gutter">
        <div className="flex min-w-0 flex-1 items-center gap-6 text-text-2">
          {crumbs && (
            <nav aria-label="Breadcrumb" className="flex shrink-0 items-center gap-6 max-wide:hidden">
              {crumbs}
              <Icon name="right" className="size-12 text-text-3" />
            </nav>
          )}
          <Heading>{heading ?? title}</Heading>
        </div>
        {found && <SavedViewsMenu />}
        {actions}
        {found && scope !== 'none' && <EnvironmentMenu />}
        {found && scope === 'environment-and-time' && <TimeRangeMenu />}
        <ConnectionState quiet={!found || scope === 'none'} />
      </header>
      {tabs && (
        <section
          aria-label="Summary and tabs"
          className="overflow-hidden px-gutter pt-2 [background:linear-gradient(0deg,var(--line)_1px,transparent_1px)]"
        >
          {tabs}
        </section>
      )}
      <main id="content" className="grid min-w-0 content-start gap-16 px-gutter pt-16 pb-48 max-wide:pt-12">
        <ErrorBoundary>{children}</ErrorBoundary>
      </main>
    </>
  )
}

/** On the first page load, the focus stays where the browser puts it. */
let isFirst = true

function Heading({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // A menu opened while the screen was loading would close.
    const isBusy = document.activeElement?.closest('[role=menu]') != null
    if (!isFirst && !isBusy) heading.current?.focus({ preventScroll: true })
    isFirst = false
  }, [])

  return (
    <h1 ref={heading} tabIndex={-1} className="min-w-0 truncate font-strong text-text outline-none">
      {children}
    </h1>
  )
}
