import type { ReactNode } from 'react'
import { durationText, shareText } from '../../ui/text/measure-text.ts'
import type { CallNode } from './call-tree.ts'
import { nameOf, whereOf } from './frame-words.ts'

type FrameDetailProps = {
  node: CallNode
  whole: string
  all: number
  /** Further details. */
  children?: ReactNode
}

/** One line about one box. */
export function FrameDetail({ node, whole, all, children }: FrameDetailProps) {
  const { frame, value, self } = node
  return (
    <>
      <code className="min-w-0 max-w-full truncate font-strong text-text">
        {frame ? nameOf(frame) : whole}
      </code>
      <span>
        {durationText(value)}
        {frame && all > 0 && `, ${shareText(value / all)} of all`}
        {self > 0 && `, self time ${durationText(self)}`}
      </span>
      {children}
      {frame && <code className="min-w-0 truncate text-12 text-text-3">{whereOf(frame)}</code>}
    </>
  )
}
