import { useState } from 'react'
import type { Frame, IssueEvent } from '../../../api/issues.ts'
import { Button } from '../../../ui/button.tsx'
import { CodeLines } from '../../../ui/code-lines.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { locationText } from '../../../ui/text/script-place.ts'
import { type FrameGroup, foldFrames } from './fold-frames.ts'
import { whyNot } from './why-not-mapped.ts'

/** This many frames of the project show their code at once; the others open on demand. */
const openAtFirst = 3
/** The others open on demand: an endless recursion adds nothing after the first lines. */
const listedAtFirst = 25

/** The original frames, innermost first. */
export function StackView({ event }: { event: IssueEvent }) {
  const groups = foldFrames(event.frames)
  const withCode = groups.filter((group) => group.kind === 'own' && group.frame.original?.code)
  const open = new Set(withCode.slice(0, openAtFirst))
  // A stack without frames of the project is not folded.
  const isAllFolded = groups.every(({ kind }) => kind === 'folded')
  const [isWhole, setWhole] = useState(false)
  const listed = isWhole ? groups : groups.slice(0, listedAtFirst)
  const rest = event.frames.length - (groups[listed.length]?.index ?? event.frames.length)

  return (
    <>
      <ol aria-label="Stack trace, innermost frame first" className="divide-y divide-line">
        {listed.map((group) =>
          group.kind === 'own' ? (
            <FrameLine
              key={group.index}
              frame={group.frame}
              why={whyUnlike(event.frames[group.index - 1], group.frame, event.version)}
              isOpenAtFirst={open.has(group)}
            />
          ) : (
            <Folded key={group.index} group={group} version={event.version} isOpenAtFirst={isAllFolded} />
          ),
        )}
      </ol>
      {rest > 0 && (
        <div className="border-line border-t px-14 py-8">
          <Button onClick={() => setWhole(true)}>
            {rest === 1 ? 'Show one more frame' : `Show ${rest} more frames`}
          </Button>
        </div>
      )}
    </>
  )
}

/** Why a frame is not mapped; undefined if the frame above gives the same reason for the same script. */
function whyUnlike(before: Frame | undefined, frame: Frame, version: string): string | undefined {
  if (frame.why === null || frame.why === 'no-script') return undefined
  return before?.why === frame.why && before.file === frame.file ? undefined : whyNot(frame, version)
}

type FoldedProps = {
  group: Extract<FrameGroup, { kind: 'folded' }>
  version: string
  isOpenAtFirst: boolean
}

function Folded({ group: { frames }, version, isOpenAtFirst }: FoldedProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  if (isOpen) {
    return frames.map((frame, index) => (
      <FrameLine
        // biome-ignore lint/suspicious/noArrayIndexKey: the frames of a stack never move.
        key={index}
        frame={frame}
        why={whyUnlike(frames[index - 1], frame, version)}
        isOpenAtFirst={false}
        quiet
      />
    ))
  }
  return (
    <li>
      <button
        type="button"
        aria-expanded={false}
        onClick={() => setOpen(true)}
        className="flex min-h-30 w-full cursor-pointer items-center gap-8 bg-canvas px-14 text-left text-12 text-text-3 -outline-offset-2 hover:bg-hover"
      >
        <Icon name="right" className="size-12" />
        {frames.length === 1 ? '1 library frame' : `${frames.length} library frames`}
      </button>
    </li>
  )
}

type FrameLineProps = {
  frame: Frame
  /** A full sentence. */
  why: string | undefined
  isOpenAtFirst: boolean
  quiet?: boolean
}

function FrameLine({ frame, why, isOpenAtFirst, quiet = false }: FrameLineProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const { original } = frame
  const code = original?.code ?? null
  const place = locationText(original ?? frame)
  const name = original?.function || frame.function || 'anonymous'
  const title = (
    <>
      <code className={`max-w-[60%] shrink-0 truncate ${quiet ? 'text-text-2' : 'font-strong'}`}>{name}</code>
      <span className="text-12 text-text-3">in</span>
      <code className="min-w-0 truncate text-12 text-text-2" title={original?.file ?? frame.file}>
        {place}
      </code>
    </>
  )

  return (
    <li className="min-w-0">
      {code ? (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="flex min-h-row w-full min-w-0 cursor-pointer items-center gap-6 px-14 py-4 text-left -outline-offset-2 hover:bg-hover"
        >
          <Icon name={isOpen ? 'down' : 'right'} className="size-12 text-text-3" />
          {title}
        </button>
      ) : (
        <div className="grid min-h-row min-w-0 content-center px-14 py-4 pl-32">
          <span className="flex min-w-0 items-center gap-6">{title}</span>
          {original && <span className="text-12 text-text-3">The map has no source content.</span>}
          {why !== undefined && (
            <span className="text-pretty text-12 text-text-3">Not mapped: {lower(why)}</span>
          )}
        </div>
      )}
      {code && isOpen && original && (
        <CodeLines code={code} line={original.line} column={original.column} label={`Code around ${place}`} />
      )}
    </li>
  )
}

const lower = (sentence: string) => sentence.charAt(0).toLowerCase() + sentence.slice(1)
