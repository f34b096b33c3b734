import { type ReactNode, useId } from 'react'
import type { Tile } from '../../api/dashboards.ts'
import { HeadingLevel } from '../../ui/heading-level.ts'
import { ErrorBoundary } from '../../ui/panel.tsx'

/** Tiles in reading order, in rows of twelve columns; below one another on a phone. */
export function DashboardGrid({ children }: { children: ReactNode }) {
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-12 wide:grid-cols-[repeat(12,minmax(0,1fr))]">
      {children}
    </div>
  )
}

/** Of every twelve columns; medium windows have half or whole rows. */
export const widthClasses: Readonly<Record<Tile['width'], string>> = {
  3: 'wide:col-span-6 full:col-span-3',
  4: 'wide:col-span-6 full:col-span-4',
  6: 'wide:col-span-6',
  8: 'wide:col-span-12 full:col-span-8',
  12: 'wide:col-span-12',
}

const heightClasses: Readonly<Record<Tile['height'], string>> = {
  small: 'wide:h-[152px]',
  medium: 'wide:h-[320px]',
  large: 'wide:h-[520px]',
}
/** Charts fill a tile: its height without its header, its padding and the legend. */
export const chartHeights: Readonly<Record<Tile['height'], number>> = { small: 60, medium: 228, large: 428 }

type TileBoxProps = {
  title: string
  /** Beside the title: the way to the whole screen, buttons. */
  actions?: ReactNode
  height: Tile['height']
  children: ReactNode
}

/** The frame of a tile. What does not fit scrolls inside it; on a phone the tile is as tall as its content. */
export function TileBox({ title, actions, height, children }: TileBoxProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className={`grid h-full min-w-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)] rounded-panel border border-line bg-surface max-wide:min-h-[120px] ${heightClasses[height]}`}
    >
      <header className="flex min-h-40 items-center gap-8 border-line border-b py-4 pr-6 pl-14">
        <h2 id={id} className="min-w-0 flex-1 truncate font-strong text-14" title={title}>
          {title}
        </h2>
        {actions}
      </header>
      <section
        aria-label={`Content of ${title}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
        tabIndex={0}
        className="min-h-0 min-w-0 overflow-y-auto px-14 py-10 -outline-offset-2"
      >
        <HeadingLevel value={3}>
          <ErrorBoundary>{children}</ErrorBoundary>
        </HeadingLevel>
      </section>
    </section>
  )
}
