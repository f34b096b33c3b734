import type { ProfiledFrame } from '../../api/profiles.ts'
import { nameOf, shortWhereOf, whereOf } from './frame-words.ts'

type FunctionNameProps = {
  frame: ProfiledFrame
  /** Selects it. */
  onOpen?: () => void
  /** The background colour of its origin. */
  swatch?: string
}

/** A function and its location; long ones are truncated, in full on hover. */
export function FunctionName({ frame, onOpen, swatch }: FunctionNameProps) {
  const name = nameOf(frame)
  const look = 'min-w-0 truncate font-code font-medium text-12'
  return (
    <span className="flex min-w-0 flex-1 items-center gap-8" title={`${name} ${whereOf(frame)}`}>
      {swatch && <span className={`size-10 shrink-0 rounded-[2px] border border-line-strong ${swatch}`} />}
      {onOpen ? (
        <button
          type="button"
          onClick={onOpen}
          className={`min-h-24 cursor-pointer text-left hover:underline ${look}`}
        >
          {name}
        </button>
      ) : (
        <span className={look}>{name}</span>
      )}
      <span className="max-w-[45%] shrink-0 truncate text-12 text-text-3">{shortWhereOf(frame)}</span>
    </span>
  )
}
