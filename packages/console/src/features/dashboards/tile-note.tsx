import type { ReactNode } from 'react'
import { Icon } from '../../ui/icon.tsx'

type TileNoteProps = { icon?: 'warning'; title: string; children?: ReactNode; action?: ReactNode }

/** In place of the content: short enough for the smallest tile. */
export function TileNote({ icon, title, children, action }: TileNoteProps) {
  return (
    <div className="grid h-full content-center justify-items-center gap-6 text-center">
      <p className="flex items-center gap-6 font-medium">
        {icon && <Icon name={icon} className="size-16 shrink-0 text-warn" />}
        {title}
      </p>
      {children && <div className="max-w-card text-pretty text-12 text-text-2">{children}</div>}
      {action}
    </div>
  )
}
